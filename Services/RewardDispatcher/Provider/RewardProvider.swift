public import Models

/// Who pays rewards out: airtime, data or money, under a reference of ours.
///
/// Called from many tasks at once. ``ProviderCaller`` limits the time of a call and cancels it then: it must return soon after,
/// and may have happened.
public protocol RewardProvider: Sendable {
    /// The name in logs.
    var name: String { get }

    /// How it can be asked what became of an order, the best way first. Without any, orders of unknown outcome wait for a
    /// statement or a person.
    var asking: [AskingMode] { get }

    /// Pays `call.amount` under `call.reference`, which is used for one attempt only. With the purpose `payAgain` the same
    /// order was given before: it is carried out unless it was.
    func pay(_ call: ProviderCall) async -> ProviderAnswer

    /// Says what became of the payment with the reference, or with the provider's own name of it. Changes nothing.
    func ask(_ call: ProviderCall) async -> ProviderAnswer

    /// What is left with the provider to pay from, whole XAF; nil if it does not say.
    ///
    /// - Throws: what went wrong, in words without secrets.
    func float() async throws -> Int64?

    /// Gives connections back; nothing is called any more.
    func close() async
}

extension RewardProvider {
    public var asking: [AskingMode] { [.reference] }

    public func float() async throws -> Int64? { nil }

    public func close() async {}
}

/// Something the provider is told or asked. Handed out only after the state that says so is on disk.
public struct ProviderCall: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        /// Pay the amount.
        case pay
        /// The same order again, to learn what became of it (``AskingMode/repeatedKey(within:)``).
        case payAgain
        /// Say what became of the payment.
        case ask

        /// True if money may move.
        var isOrder: Bool { self != .ask }
    }

    public let purpose: Purpose
    public let grant: GrantID
    /// The name of the attempt at the provider.
    public let reference: PaymentReference
    /// The provider's own name of it, empty if it has told none.
    public var providerID = ""
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
    /// Where the amount goes; nil if the subscriber has not said, which the sandbox takes for the device itself. Of orders
    /// only.
    public var recipient: PayoutNumber? = nil
}

/// What the provider said to a ``ProviderCall``, or that it said nothing that helps.
public enum ProviderAnswer: Sendable, Equatable {
    /// It was paid; with the provider's own name of the payment.
    case confirmed(String)
    /// It was paid and taken back since.
    case reversed(String)
    /// It was not paid and will not be.
    case rejected(String)
    /// It was certainly not paid; trying later, under another reference, may help.
    case failed(String)
    /// An answer to an order only: it was not taken up, for a reason that is not its own: no connection, no permission, too many
    /// at once. It may be given again under the same reference.
    case notTaken(String)
    /// It was not paid and will not be, as nothing was left to pay from; no fault of the order. It may be given again once there is,
    /// under another reference if this one is used up.
    case unfunded(String, isReferenceUsed: Bool)
    /// An answer to a question only: the provider has never heard of the reference.
    case notFound
    /// It is being worked on.
    case processing
    /// It is being worked on, under a name of the provider's by which it can be asked about.
    case accepted(String)
    /// Nobody answered, or not to the call: it may have been paid.
    case silent(String)
    /// An answer that says neither: it may have been paid.
    case unknown(String)
}

/// The books of a provider whose file is in this home. Others keep theirs; they are told no device, and what they know of a
/// number is between them and the subscriber.
public protocol ProviderBooks: AnyObject {
    /// Puts other references in the place of those of erased payments, which are settled: nobody will ask about them. One that
    /// is not known, or was replaced before, changes nothing. Durable, log and all, when it returns true; false if somebody
    /// reads, and it is to be asked again.
    func replace(_ references: [ReplacedReference]) throws -> Bool

    /// Orders of erased subjects: numbers that are kept for them go, and what nobody has been told to pay is not paid any more. One
    /// that is not known, or was withdrawn before, changes nothing. Durable when it returns.
    func withdraw(_ references: [PaymentReference]) throws
}

extension ProviderBooks {
    /// Books without numbers, whose orders are carried out at once.
    public func withdraw(_ references: [PaymentReference]) {}
}

/// A grant that has another name now, and with it the references of its attempts.
public struct ReplacedReference: Sendable, Equatable {
    public let reference: GrantID
    public let replacement: GrantID
    /// How many attempts there were.
    public let attempts: Int

    public init(reference: GrantID, replacement: GrantID, attempts: Int) {
        self.reference = reference
        self.replacement = replacement
        self.attempts = attempts
    }

    /// Of each attempt the reference that the provider may know, and what it becomes. Before there were references, the grant's
    /// name was one.
    public var payments: [(reference: PaymentReference, replacement: PaymentReference)] {
        let first = (PaymentReference(stored: reference.text), PaymentReference(stored: replacement.text))
        return [first]
            + stride(from: 1, through: attempts, by: 1).map {
                (PaymentReference(reference, attempt: $0), PaymentReference(replacement, attempt: $0))
            }
    }
}
