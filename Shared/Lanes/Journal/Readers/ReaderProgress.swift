/// What a reader said about itself on a lane.
public struct ReaderProgress: Sendable, Equatable {
    public var reader: ReaderRegistration
    /// The last block whose effects it has committed.
    public var committed: UInt64
    /// True if it opened a session since the last word: a detached reader is attached again.
    public var isJoining: Bool

    public init(reader: ReaderRegistration, committed: UInt64, isJoining: Bool) {
        self.reader = reader
        self.committed = committed
        self.isJoining = isJoining
    }
}
