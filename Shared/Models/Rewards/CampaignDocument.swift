/// The document of a record of kind `campaign`: what is paid for records of a kind, to whom, and when.
public struct CampaignDocument: Codable, Sendable, Equatable {
    /// What one may pay for a record, whole XAF: a slip of the pen is neither published nor paid out.
    public static let amounts: ClosedRange<Int64> = 1...10_000

    /// Part of every grant's identifier; the record's key.
    public var id: String
    /// For one record, whole XAF, within ``amounts``.
    public var amountXAF: Int64
    /// Grants of one device on one local day; 0 is without limit.
    public var dailyMaximum: Int64
    /// Networks of the SIM, five or six digits each; empty is any.
    public var operators: [String]
    /// Records received from here on, Unix milliseconds.
    public var from: UnixMilliseconds
    /// Records received before, Unix milliseconds.
    public var to: UnixMilliseconds
    public var isActive: Bool
    /// Name of the kind whose records are paid for; nil is feedback, as in documents of before.
    public var kind: String?

    /// The kind whose records are paid for.
    public var kindName: String { kind ?? "feedback" }

    public init(
        id: String, amountXAF: Int64, dailyMaximum: Int64, operators: [String], from: UnixMilliseconds,
        to: UnixMilliseconds, isActive: Bool, kind: String? = nil
    ) {
        self.id = id
        self.amountXAF = amountXAF
        self.dailyMaximum = dailyMaximum
        self.operators = operators
        self.from = from
        self.to = to
        self.isActive = isActive
        self.kind = kind
    }

    enum CodingKeys: String, CodingKey {
        case id, operators, kind
        case amountXAF = "amount_xaf"
        case dailyMaximum = "daily_maximum"
        case from = "from_ms"
        case to = "to_ms"
        case isActive = "active"
    }
}
