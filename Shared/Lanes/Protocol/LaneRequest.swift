public import Models

/// What a reader says to a writer. Credit is given as totals since the session began, so that a message that is lost or
/// comes twice changes nothing.
package enum LaneRequest: Sendable, Equatable {
    /// Begins a session; the one the reader had before ends.
    case open(LaneOpening)
    /// More credit, how far the reader's effects are committed, and a sign of life: at least once a second.
    case credit(session: UInt64, total: Credit, committed: UInt64)
}

/// How a reader begins a session.
package struct LaneOpening: Sendable, Equatable {
    package var reader: ReaderRegistration
    package var lane: LaneName
    /// Chosen by the reader, never used before by it.
    package var session: UInt64
    /// The generation the reader has blocks of; 0 if it has none.
    package var generation: UInt64
    /// The last block it has received.
    package var after: UInt64
    /// Ids of the kinds it wants, ascending.
    package var kinds: [UInt8]
    /// True if it understands `LaneReply/heartbeat(session:generation:head:time:)`.
    package var wantsHeartbeats: Bool
    /// What may be sent in the session, until more is given.
    package var total: Credit
    /// The last block whose effects it has committed.
    package var committed: UInt64

    package init(
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

/// A page of the journal that a session needs; read by another thread than the socket's.
package struct LanePageRequest: Sendable, Equatable {
    package var peer: [UInt8]
    package var session: UInt64
    package var after: UInt64
    /// Ids of the kinds the reader wants.
    package var kinds: [UInt8]
    /// What the session's credit still allows, and no more than a page.
    package var limit: Credit

    /// The largest page.
    static let largest = Credit(blocks: 64, bytes: 1 << 20)
}

/// A lane a service reads, and how.
public struct LaneSubscription: Sendable {
    public var lane: LaneName
    /// Kinds wanted, in the version this program knows; blocks of other kinds are skipped by the writer.
    public var kinds: [RecordKind]
    /// True if the writer must keep blocks for this service whatever happens.
    public var isRequired: Bool
    /// Blocks and bytes the writer may send ahead; this bounds the service's memory for the lane.
    public var window: Credit

    public init(lane: LaneName, kinds: [RecordKind], isRequired: Bool = true, window: Credit = .standard) {
        self.lane = lane
        self.kinds = kinds
        self.isRequired = isRequired
        self.window = window
    }
}
