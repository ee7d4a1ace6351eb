extension RecordKind {
    /// What is paid for feedback, on the `operations` lane: ``CampaignDocument``, keyed by its id. Without document: removed.
    public static let campaign = RecordKind(
        id: 10, name: "campaign", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// One reward for one feedback, on the `rewards` lane: ``GrantDocument``, keyed by its identifier.
    public static let grant = RecordKind(
        id: 12, name: "grant", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// What a device was paid and is owed, on the `rewards` lane: ``BalanceDocument``, keyed by the device's ordinal.
    public static let balance = RecordKind(
        id: 13, name: "balance", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `campaign`: what is paid for records of a kind, to whom, and when.
public struct CampaignDocument: Codable, Sendable, Equatable {
    /// What one may pay for a record, whole XAF: a slip of the pen is neither published nor paid out.
    public static let amounts: ClosedRange<Int64> = 1...10_000
    /// What budgets may be, whole XAF.
    public static let budgets: ClosedRange<Int64> = 1...1_000_000_000_000
    /// How many grants other limits may allow.
    public static let counts: ClosedRange<Int64> = 1...1_000_000

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

    /// Rises by one each time the campaign is set; nil in documents of before.
    public var version: Int64?
    /// Only feedback that answers a prompt is paid for.
    public var isPromptedOnly: Bool?
    /// Grants of one device in all; nil is without limit, as it is of those below.
    public var deviceMaximum: Int64?
    /// Grants on one local day of all devices whose rewards go to one number.
    public var numberDailyMaximum: Int64?
    /// What may be granted in all, whole XAF.
    public var budgetXAF: Int64?
    /// What may be granted for records of one cell of level 13 on one local day, whole XAF: cells from which little comes are paid
    /// for all of it, others only for the first.
    public var cellDayBudgetXAF: Int64?
    /// Only records of cells from which little comes are paid for.
    public var undersampledCell: UndersampledCell?
    /// Nothing is paid for a record: those who contribute most until the end win.
    public var competition: CampaignCompetition?
    /// Nothing is paid for a record: those who have contributed so much are paid.
    public var milestone: CampaignMilestone?
    /// Only emergencies that others confirm are paid for, beside what another campaign pays for the same record.
    public var confirmedEmergency: ConfirmedEmergency?

    /// The kind whose records are paid for.
    public var kindName: String { kind ?? "feedback" }
    /// Whether a record that it covers is paid for as soon as it comes.
    public var paysForRecords: Bool { competition == nil && milestone == nil && confirmedEmergency == nil }

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
        case id, operators, kind, version
        case isPromptedOnly = "prompted_only"
        case deviceMaximum = "device_maximum"
        case numberDailyMaximum = "number_daily_maximum"
        case budgetXAF = "budget_xaf"
        case cellDayBudgetXAF = "cell_day_budget_xaf"
        case undersampledCell = "undersampled_cell"
        case competition, milestone
        case confirmedEmergency = "confirmed_emergency"
        case amountXAF = "amount_xaf"
        case dailyMaximum = "daily_maximum"
        case from = "from_ms"
        case to = "to_ms"
        case isActive = "active"
    }
}

/// The document of a record of kind `grant`: one reward for one feedback, and how far its payment is.
public struct GrantDocument: Codable, Sendable, Equatable {
    /// Identifier: follows from device, campaign and record.
    public var grant: String
    /// The device's ordinal.
    public var device: UInt64
    public var campaign: String
    /// Identifier of the feedback, a UUID.
    public var record: String
    /// Whole XAF.
    public var amountXAF: Int64
    public var state: GrantState
    /// Unix milliseconds.
    public var changedAt: UnixMilliseconds
    /// When the feedback was received, Unix milliseconds; constant. Documents of older dispatchers do not say.
    public var receivedAt: UnixMilliseconds?

    public init(
        grant: String, device: UInt64, campaign: String, record: String, amountXAF: Int64, state: GrantState,
        changedAt: UnixMilliseconds, receivedAt: UnixMilliseconds? = nil
    ) {
        self.grant = grant
        self.device = device
        self.campaign = campaign
        self.record = record
        self.amountXAF = amountXAF
        self.state = state
        self.changedAt = changedAt
        self.receivedAt = receivedAt
    }

    enum CodingKeys: String, CodingKey {
        case grant, device, campaign, record, state
        case amountXAF = "amount_xaf"
        case changedAt = "changed_at_ms"
        case receivedAt = "received_at_ms"
    }
}

/// The document of a record of kind `balance`: what a device was paid and what it is owed, from the ledger.
public struct BalanceDocument: Codable, Sendable, Equatable {
    /// The device's ordinal.
    public var device: UInt64
    /// Whole XAF.
    public var paidXAF: Int64
    /// Whole XAF: owed, or on its way and not yet certain.
    public var pendingXAF: Int64

    public init(device: UInt64, paidXAF: Int64, pendingXAF: Int64) {
        self.device = device
        self.paidXAF = paidXAF
        self.pendingXAF = pendingXAF
    }

    enum CodingKeys: String, CodingKey {
        case device
        case paidXAF = "paid_xaf"
        case pendingXAF = "pending_xaf"
    }
}

/// How far the payment of a grant is.
public enum GrantState: String, Codable, Sendable, CaseIterable {
    /// Owed; the provider has not been called, or has said for certain that it did not pay.
    case pending
    /// Committed before the provider is called: it may have been paid from here on.
    case sent
    /// It is not known whether it was paid. It is asked about, never sent again on suspicion.
    case unknown
    /// The provider is being asked.
    case asked
    /// Paid.
    case confirmed
    /// Not paid, and will not be.
    case rejected
    /// Paid, and taken back by the provider.
    case reversed

    /// True if it is settled. The provider may still say otherwise later: only from one settled state to another.
    public var isFinal: Bool { self == .confirmed || self == .rejected || self == .reversed }
}
