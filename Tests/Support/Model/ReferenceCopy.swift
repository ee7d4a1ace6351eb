/// A copy of everything that a device asked for: what must be in it, and how long it can be read.
public struct ReferenceCopy: Sendable {
    static let day = 86_400_000

    public let request: String
    public let device: Int
    /// When it was asked for, Unix milliseconds.
    public let askedAt: Int
    /// The device's records that had been accepted by then.
    public let rows: [ReferenceRow]
    /// The device's consents by then.
    public let consents: [ReferenceLedgerEntry]
    /// Alarms in which the device counted by then, with the time of its first record in each.
    public let contributions: [ReferenceContribution: Int]
    /// Where its rewards went then.
    public let payout: ReferencePayout
    /// Something of the device was erased since.
    public internal(set) var isWithdrawn = false

    /// Whether it can be read at a time.
    public func isOpen(at time: Int) -> Bool { !isWithdrawn && time < askedAt + Self.day }
}
