public import Models

/// What a reader says to a writer. Credit is given as totals since the session began, so that a message that is lost or
/// comes twice changes nothing.
public enum LaneRequest: Sendable, Equatable {
    /// Begins a session; the one the reader had before ends.
    case open(LaneOpening)
    /// More credit, how far the reader's effects are committed, and a sign of life: at least once a second.
    case credit(session: UInt64, total: Credit, committed: UInt64)
}

/// How a reader begins a session.
public struct LaneOpening: Sendable, Equatable {
    public var reader: ReaderRegistration
    public var lane: LaneName
    /// Chosen by the reader, never used before by it.
    public var session: UInt64
    /// The generation the reader has blocks of; 0 if it has none.
    public var generation: UInt64
    /// The last block it has received.
    public var after: UInt64
    /// Ids of the kinds it wants, ascending.
    public var kinds: [UInt8]
    /// True if it understands `LaneReply/heartbeat(session:generation:head:time:)`.
    public var wantsHeartbeats: Bool
    /// What may be sent in the session, until more is given.
    public var total: Credit
    /// The last block whose effects it has committed.
    public var committed: UInt64

    public init(
        reader: ReaderRegistration, lane: LaneName, session: UInt64, generation: UInt64, after: UInt64, kinds: [UInt8],
        wantsHeartbeats: Bool, total: Credit, committed: UInt64
    ) {
        self.reader = reader
        self.lane = lane
        self.session = session
        self.generation = generation
        self.after = after
        self.kinds = kinds
        self.wantsHeartbeats = wantsHeartbeats
        self.total = total
        self.committed = committed
    }
}
