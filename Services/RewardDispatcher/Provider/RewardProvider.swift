public import Models

/// Who pays rewards out: airtime or data, under a reference of ours.
///
/// Called from many tasks at once. ``ProviderCaller`` limits the time of a call and cancels it then: it must return soon after,
/// and may have happened.
public protocol RewardProvider: Sendable {
    /// The name in logs.
    var name: String { get }

    /// Pays `call.amount`. Called again with the same reference only after this provider said for certain that the attempt
    /// before paid nothing.
    func pay(_ call: ProviderCall) async -> ProviderAnswer

    /// Says what became of the payment with the reference. Changes nothing.
    func ask(_ call: ProviderCall) async -> ProviderAnswer
}

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

/// What the provider said to a ``ProviderCall``, or that it said nothing that helps.
public enum ProviderAnswer: Sendable, Equatable {
    /// It was paid; with the provider's own reference.
    case confirmed(String)
    /// It was not paid and will not be.
    case rejected(String)
    /// It was certainly not paid; trying later may help.
    case failed(String)
    /// An answer to a question only: the provider has never heard of the reference.
    case notFound
    /// It is being worked on.
    case processing
    /// No answer, or one that says neither: it may have been paid.
    case unknown(String)
}

/// The books of a provider whose file is in this home. Others keep theirs; they are told no device, and what they know of a
/// number is between them and the subscriber.
public protocol ProviderBooks: AnyObject {
    /// Puts other references in the place of those of erased payments, which are settled: nobody will ask about them. One that
    /// is not known, or was replaced before, changes nothing. Durable, log and all, when it returns true; false if somebody
    /// reads, and it is to be asked again.
    func replace(_ references: [ReplacedReference]) throws -> Bool
}

/// A reference under which a provider knew a payment, and what it becomes.
public struct ReplacedReference: Sendable, Equatable {
    public let reference: GrantID
    public let replacement: GrantID
}
