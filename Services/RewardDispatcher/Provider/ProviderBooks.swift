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
