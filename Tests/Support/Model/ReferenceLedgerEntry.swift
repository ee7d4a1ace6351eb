/// A consent as the ledger must have it.
public struct ReferenceLedgerEntry: Sendable, Equatable {
    /// The device's number.
    public let device: Int
    /// From 1, at the enrolment.
    public let version: Int
    public let purposes: Set<String>
    /// When ingest committed it, Unix milliseconds.
    public let receivedAt: Int
}
