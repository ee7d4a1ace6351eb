public import Models

/// Something the provider is told or asked. Handed out only after the state that says so is on disk.
public struct ProviderCall: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        /// Pay the amount.
        case pay
        /// Say what became of the payment.
        case ask
    }

    public let purpose: Purpose
    /// The payment's reference at the provider.
    public let grant: GrantID
    /// The device's ordinal.
    public let device: UInt64
    /// Whole XAF.
    public let amount: Int64
    /// Which attempt to pay it is, or asks about, from 1.
    public let attempt: Int
    /// Which question about this attempt it is, from 1; 0 for a payment.
    public let ask: Int
    /// When it was decided.
    public let at: UnixMilliseconds
    /// How long no order to pay the grant had been under way when it was decided.
    public let quietMilliseconds: Int64
    /// Where the amount goes; nil if the subscriber has not said, which the sandbox takes for the device itself. Of a call to
    /// pay only.
    public var recipient: PayoutNumber? = nil
}
