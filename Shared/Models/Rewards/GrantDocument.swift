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
