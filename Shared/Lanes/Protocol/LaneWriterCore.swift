package import Models
package import Wire

/// The decisions of a lane's writer: who gets which blocks, and never more than its credit. No clock or socket inside.
///
/// Each session is served in order. Blocks just committed go out from memory; a session that is behind what is kept in
/// memory asks for a page of the journal, one at a time, as large as its credit; so the memory of the writer does not
/// depend on how far its readers are.
package struct LaneWriterCore: Sendable {
    /// Who a message is from: the ROUTER's name of a connection.
    package typealias Peer = [UInt8]

    /// What happens to the writer. Times are milliseconds of any clock that only rises.
    package enum Event: Sendable {
        case received(Peer, LaneRequest, now: Int64)
        /// Blocks were committed; they follow the head.
        case committed([Block])
        /// The page asked for by ``Action/read(_:)``.
        case pageRead(LanePageRequest, JournalPage)
        /// The page could not be read; the session ends.
        case pageFailed(LanePageRequest)
        /// A send to the peer failed, it is gone.
        case unreachable(Peer)
        /// The journal trimmed or compacted.
        case trimmed(oldest: UInt64, tombstonesGone: UInt64)
        /// The journal rewrote blocks without the rows of erased subjects, none of a higher number.
        case rewritten(through: UInt64)
        /// Once a second, with the writer's clock, which heartbeats tell.
        case tick(now: Int64, time: UnixMilliseconds)
        /// Everything acknowledged to phones before a moment counts in the blocks committed so far.
        case completed(UnixMilliseconds)
    }

    /// What is to be done, in this order.
    package enum Action: Sendable, Equatable {
        case send(Peer, LaneReply)
        case read(LanePageRequest)
        case progress(ReaderProgress)
    }

    struct Session: Sendable {
        let peer: Peer
        let reader: ReaderRegistration
        let id: UInt64
        let kinds: [UInt8]
        /// Everything up to here was sent or does not concern the reader.
        var through: UInt64
        /// The reader has been told of everything up to here.
        var told: UInt64
        var credit: Credit
        var sent = Credit.none
        var heardAt: Int64
        var isPageUnderWay = false
        /// The page under way may have been read before blocks were rewritten.
        var isPageStale = false
        /// Size of the next block while it waits for credit.
        var waitingBytes = 0
        /// The size the reader was last told of.
        var toldWaiting = 0
        let wantsHeartbeats: Bool
        /// A heartbeat went out, and nothing was heard of the reader since.
        var isHeartbeatUnanswered = false
        /// A heartbeat is to be sent as soon as the reader is heard.
        var isHeartbeatDue = false
    }

    /// A session of which nothing is heard for so long has ended.
    static let silence: Int64 = 15_000

    package let lane: LaneName
    /// Number of the last block committed.
    package internal(set) var head: UInt64
    let generation: UInt64
    var oldest: UInt64
    var tombstonesGone: UInt64
    /// The writer's clock at the last tick.
    var time: UnixMilliseconds = 0
    /// What heartbeats tell to which moment the lane is complete; nil while that is not known.
    private(set) var completeTo: UnixMilliseconds?
    /// The lane is written by the service that answers phones: it hands blocks over before it acknowledges what is in them.
    private let isOrigin: Bool
    var sessions: [Peer: Session] = [:]
    var recent: RecentBlocks

    /// - Parameters:
    ///   - isOrigin: the writer answers phones, and only after the blocks were handed over.
    ///   - recentBytes: bytes of committed blocks kept in memory for readers that are a little behind.
    package init(
        lane: LaneName, generation: UInt64, head: UInt64, oldest: UInt64, tombstonesGone: UInt64 = 0,
        isOrigin: Bool = false, recentBytes: Int = 4 << 20
    ) {
        self.isOrigin = isOrigin
        self.lane = lane
        self.generation = generation
        self.head = head
        self.oldest = oldest
        self.tombstonesGone = tombstonesGone
        recent = RecentBlocks(limit: recentBytes)
    }

    /// Readers with a session.
    package var readers: [String] { sessions.values.map(\.reader.name).sorted() }
    /// Bytes of blocks held in memory, for all readers together.
    package var bufferedBytes: Int { recent.bytes }

    /// Takes one event and says what is to be done.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .received(let peer, .open(let opening), let now): return open(opening, from: peer, now: now)
        case .received(let peer, .credit(let session, let total, let committed), let now):
            return renew(session, total, committed, from: peer, now: now)
        case .committed(let blocks):
            for block in blocks { recent.append(block) }
            head = max(head, blocks.last?.header.number ?? 0)
            return sessions.keys.sorted(by: Self.precedes).flatMap { serve($0) }
        case .pageRead(let request, let page): return deliver(page, request)
        case .pageFailed(let request):
            guard sessions[request.peer]?.id == request.session else { return [] }
            sessions[request.peer] = nil
            return [.send(request.peer, .unknown(session: request.session))]
        case .unreachable(let peer):
            sessions[peer] = nil
            return []
        case .trimmed(let oldest, let tombstonesGone):
            self.oldest = max(self.oldest, oldest)
            self.tombstonesGone = max(self.tombstonesGone, tombstonesGone)
            return []
        case .rewritten(let through):
            recent.forget(through: through)
            for (peer, session) in sessions where session.isPageUnderWay && session.through < through {
                sessions[peer]!.isPageStale = true
            }
            return []
        case .tick(let now, let time):
            // Blocks of what was acknowledged just now may still wait behind this tick, but not those of a tick ago.
            if isOrigin, self.time > 0 { completeTo = self.time }
            self.time = time
            return beat(now)
        case .completed(let moment):
            completeTo = moment
            return []
        }
    }

    /// Sessions are served in one order whatever the dictionary's, so that a run can be repeated exactly.
    static func precedes(_ one: Peer, _ other: Peer) -> Bool { one.lexicographicallyPrecedes(other) }
}
