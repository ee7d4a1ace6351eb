extension RecordKind {
    /// How the provider of rewards is, on the `rewards` lane: ``ProviderStateDocument``, keyed `current`.
    public static let providerState = RecordKind(
        id: 34, name: "provider_state", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// What a person decided about a grant, on the `rewards` lane: ``RewardDecisionDocument``, keyed by the decision's number. For
    /// the audit log.
    public static let rewardDecision = RecordKind(
        id: 35, name: "reward_decision", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `provider_state`.
public struct ProviderStateDocument: Codable, Sendable, Equatable {
    /// Its name in the settings.
    public var provider: String
    /// What was left to pay from when somebody looked last, whole XAF; nil if the provider does not say.
    public var floatXAF: Int64?
    /// Below which it is little, whole XAF.
    public var lowFloatXAF: Int64
    public var isLow: Bool
    /// Nothing was left to pay an order from; orders wait.
    public var isUnfunded: Bool
    /// It is left alone, as it does not answer.
    public var isSilent: Bool
    /// When it became so, Unix milliseconds.
    public var since: UnixMilliseconds

    public init(
        provider: String, floatXAF: Int64?, lowFloatXAF: Int64, isLow: Bool, isUnfunded: Bool, isSilent: Bool,
        since: UnixMilliseconds
    ) {
        self.provider = provider
        self.floatXAF = floatXAF
        self.lowFloatXAF = lowFloatXAF
        self.isLow = isLow
        self.isUnfunded = isUnfunded
        self.isSilent = isSilent
        self.since = since
    }

    enum CodingKeys: String, CodingKey {
        case provider
        case floatXAF = "float_xaf"
        case lowFloatXAF = "low_float_xaf"
        case isLow = "low"
        case isUnfunded = "unfunded"
        case isSilent = "silent"
        case since = "since_ms"
    }
}

/// The document of a record of kind `reward_decision`: names neither the grant nor its device, as it stays when they are erased.
public struct RewardDecisionDocument: Codable, Sendable, Equatable {
    /// What it is from now on: `paid`, `failed` (to be paid again), `rejected`; of one that was held `released`.
    public var decision: String
    public var campaign: String
    /// Whole XAF.
    public var amountXAF: Int64
    /// Who decided, as they said.
    public var by: String
    /// Why, in their words.
    public var why: String

    public init(decision: String, campaign: String, amountXAF: Int64, by: String, why: String) {
        self.decision = decision
        self.campaign = campaign
        self.amountXAF = amountXAF
        self.by = by
        self.why = why
    }

    enum CodingKeys: String, CodingKey {
        case decision, campaign, by, why
        case amountXAF = "amount_xaf"
    }
}
