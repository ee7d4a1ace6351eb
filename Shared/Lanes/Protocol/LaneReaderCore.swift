package import Models
package import Wire

/// The decisions of a lane's reader: every block exactly once and in order, whatever gets lost, comes twice or late, and
/// no more on the way than it has room for. No clock or socket inside.
package struct LaneReaderCore: Sendable {
    /// What happens to the reader. Times are milliseconds of any clock that only rises.
    package enum Event: Sendable {
        /// The connection to the writer stands, at first or again.
        case connected(now: Int64)
        case received(LaneReply, now: Int64)
        /// Delivered blocks were dealt with; effects up to `committed` are on disk.
        case released(blocks: Int, bytes: Int, committed: UInt64)
        /// Once a second; the first one begins.
        case tick(now: Int64)
    }

    /// What is to be done, in this order.
    package enum Action: Sendable, Equatable {
        case send(LaneRequest)
        /// The next block of the lane.
        case deliver(Block)
        /// The writer has nothing for this reader up to here.
        case skip(Position)
        /// The writer no longer had these many blocks: the reader was detached, or joined late.
        case missed(blocks: UInt64)
    }

    /// Without a word for so long, a new session is opened.
    static let silence: Int64 = 5_000
    /// Without a word for more than this, the writer counts as silent: three heartbeats did not come.
    package static let heartbeatTimeout: Int64 = 3_000
    /// Without an answer to the opening for so long, it is sent again.
    static let patience: Int64 = 1_000

    enum Phase: Sendable { case closed, opening, open, stopped }

    package let subscription: LaneSubscription
    /// The last block delivered or skipped.
    package private(set) var received: UInt64
    /// The journal's generation; 0 until the first answer.
    package private(set) var generation: UInt64
    let reader: ReaderRegistration
    var phase = Phase.closed
    var session: UInt64
    var committed: UInt64
    /// What came in the session, what was granted in it, and what was delivered and not yet released.
    var arrived = Credit.none
    var granted = Credit.none
    package private(set) var held = Credit.none
    /// The writer's last block as far as it is known.
    package internal(set) var head: UInt64 = 0
    /// The last heartbeat of the writer; nil before the first, and for ever if it sends none.
    package internal(set) var heartbeat: LaneHeartbeat?
    /// When the writer was last heard in a session; nil before the first answer.
    package private(set) var heardAt: Int64?
    /// The last heartbeat had nothing new.
    var isIdle = false
    /// Why it has stopped for good.
    var end: LaneStatus?
    /// The time as it was told last.
    var now: Int64 = .min
    var waitingBytes: UInt64 = 0
    var openedAt: Int64 = .min

    /// A reader that goes on after its durable cursor.
    ///
    /// - Parameter firstSession: random; later sessions count up from it.
    package init(subscription: LaneSubscription, reader: String, cursor: Position?, firstSession: UInt64) {
        self.subscription = subscription
        self.reader = ReaderRegistration(name: reader, isRequired: subscription.isRequired)
        received = cursor?.block ?? 0
        generation = cursor?.generation ?? 0
        committed = cursor?.block ?? 0
        session = firstSession
    }

    package var lane: LaneName { subscription.lane }

    /// Takes one event and says what is to be done.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .connected(let now):
            self.now = now
            return phase == .stopped ? [] : open(now)
        case .received(let reply, let now):
            self.now = now
            if reply.session == session { heardAt = now }
            return phase == .stopped ? [] : handle(reply, now)
        case .released(let blocks, let bytes, let committed):
            held.remove(blocks: blocks, bytes: bytes)
            self.committed = max(self.committed, committed)
            return phase == .open && isWorthRenewing ? renew() : []
        case .tick(let now):
            self.now = now
            return beat(now)
        }
    }

    private mutating func handle(_ reply: LaneReply, _ now: Int64) -> [Action] {
        switch reply {
        case .opened(session, let generation, let head, let oldest):
            return opened(generation, head, oldest)
        // Without the answer to the opening it would not be known whether blocks are missing: it is asked for again.
        case .block(session, _) where phase == .opening, .skipped(session, _, _) where phase == .opening:
            return open(now)
        case .block(session, let block):
            return take(block, now)
        case .skipped(session, let after, let through):
            guard after <= received else { return open(now) }
            return skip(through)
        case .head(session, let head, let through, let waiting):
            learn(head: head)
            waitingBytes = waiting
            if through > received { return open(now) }
            return phase == .open && waiting > 0 ? renewIfMore() : []
        case .heartbeat(session, let generation, let head, let time, let completeTo):
            if phase == .open, accepts(generation) { take(head: head, time: time, completeTo: completeTo) }
            return []
        case .refused(session, let code, let text): return stop(for: code, text)
        case .unknown(session): return open(now)
        default: return []
        }
    }

    private mutating func opened(_ generation: UInt64, _ head: UInt64, _ oldest: UInt64) -> [Action] {
        guard accepts(generation) else { return [] }
        guard received <= head else {
            return stop(.readerAheadOfHead(lane: lane, after: received, head: head))
        }
        learn(head: head)
        phase = .open
        return received > 0 && oldest > received + 1 && lane.nature == .event
            ? [.missed(blocks: oldest - received - 1)] : []
    }

    private mutating func take(_ block: Block, _ now: Int64) -> [Action] {
        let header = block.header
        guard accepts(header.generation) else { return [] }
        guard header.number > received else { return [] }
        guard header.number == received + 1 else { return open(now) }
        guard let kind = subscription.kinds.first(where: { $0.id == header.kind }) else { return skip(header.number) }
        guard header.kindVersion <= kind.version else {
            return stop(.newerKind(lane: lane, kind: kind.name, version: header.kindVersion, known: kind.version))
        }
        received = header.number
        learn(head: received)
        arrived.add(block.size)
        held.add(block.size)
        waitingBytes = 0
        return [.deliver(block)]
    }

    private mutating func skip(_ through: UInt64) -> [Action] {
        guard through > received, generation != 0 else { return [] }
        received = through
        return [.skip(Position(lane: lane, generation: generation, block: through))]
    }

    private mutating func accepts(_ generation: UInt64) -> Bool {
        if self.generation == 0 { self.generation = generation }
        guard generation == self.generation else {
            _ = stop(.otherGeneration(lane: lane, expected: self.generation, found: generation))
            return false
        }
        return true
    }

    private mutating func stop(for code: LaneRefusal, _ text: String) -> [Action] {
        switch code {
        case .otherGeneration:
            return stop(.otherGeneration(lane: lane, expected: generation, found: UInt64(text) ?? 0))
        case .aheadOfHead: return stop(.readerAheadOfHead(lane: lane, after: received, head: UInt64(text) ?? 0))
        case .tombstonesGone, .otherLane:
            phase = .stopped
            end = .refused(text)
            return []
        }
    }

    /// Stops for good: a later answer of the same writer proves nothing, for its head may have grown past this reader.
    private mutating func stop(_ error: LaneError) -> [Action] {
        phase = .stopped
        end = .stopped(error)
        return []
    }
}
