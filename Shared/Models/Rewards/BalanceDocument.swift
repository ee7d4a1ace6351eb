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
