import Lanes
import Models

/// The reading end of a lane: the product's core, and a connection on which messages are late, lost or doubled.
///
/// One life of a reader has one link a lane; messages keep their order in each direction, as on a ZeroMQ connection.
final class SimulatedLink {
    let peer: [UInt8]
    private(set) var core: LaneReaderCore
    private unowned let simulation: Simulation
    private unowned let reader: SimulatedReader
    private unowned let lane: SimulatedLane
    private var underWay = 0
    private var lastUp: Int64 = 0
    private var lastDown: Int64 = 0
    private var lastHeartbeat: Int64 = 0
    private var cutUntil: Int64 = 0
    /// When anything last came from the writer.
    private var cameAt = Int64.min
    private let madeAt: Int64
    /// Milliseconds after waking in which readers and writers find out that they have not heard of each other for long.
    private static let awakening: Int64 = 3_000
    /// Milliseconds in which a writer that has started is heard by all its readers.
    private static let beats: Int64 = 3_000
    private(set) var isDead = false

    init(
        _ subscription: LaneSubscription, cursor: Position?, to lane: SimulatedLane, of reader: SimulatedReader,
        in simulation: Simulation
    ) {
        self.simulation = simulation
        self.reader = reader
        self.lane = lane
        madeAt = simulation.clock.now
        peer = Array("\(reader.name)-\(reader.life)".utf8)
        core = LaneReaderCore(
            subscription: subscription, reader: reader.name, cursor: cursor, firstSession: simulation.random.next())
        lane.connect(self)
    }

    /// How the reader stands, by a cursor.
    func figures(cursor: UInt64) -> ReadFigures {
        ReadFigures(
            lane: core.lane, cursor: cursor, head: core.head, isConnected: core.status.isConnected,
            inbox: InboxFigures(heartbeat: core.heartbeat))
    }

    /// The reader's process is gone.
    func die() {
        isDead = true
    }

    /// Nothing passes for so many milliseconds; then the connection stands again.
    func cut(for milliseconds: Int) {
        cutUntil = simulation.clock.now + Int64(milliseconds)
        simulation.timeline.after(milliseconds) { [self] in
            if !isDead { try handle(.connected(now: simulation.clock.now)) }
        }
    }

    func handle(_ event: LaneReaderCore.Event) throws {
        guard !isDead else { return }
        for action in core.handle(event) {
            switch action {
            case .send(let request): carryUp(request)
            case .deliver(let block): try reader.take(block, from: core.lane)
            case .skip(let position): reader.skip(position)
            case .missed(let blocks): try reader.miss(blocks, after: core.received, on: core.lane)
            }
        }
        let window = core.subscription.window
        guard core.held.blocks <= max(window.blocks, 1) else {
            throw SimulationFailure("lane \(core.lane.rawValue): \(reader.name) holds \(core.held), window \(window)")
        }
        try checkThatNothingSleeps()
    }

    func carryDown(_ reply: LaneReply) throws {
        let frames = reply.frames()
        let arrive = { [self] in
            cameAt = simulation.clock.now
            try handle(.received(LaneReply(frames: frames), now: simulation.clock.now))
        }
        // Heartbeats overtake and are overtaken, which is worse than on a connection.
        if case .heartbeat = reply {
            carry(&lastHeartbeat, &simulation.heartbeats, arrive)
        } else {
            carry(&lastDown, &simulation.random, arrive)
        }
    }

    private func carryUp(_ request: LaneRequest) {
        let frames = request.frames()
        carry(&lastUp, &simulation.random) { [self] in
            try lane.receive(LaneRequest(frames: frames), from: self)
            try checkThatNothingSleeps()
        }
    }

    private func carry(
        _ last: inout Int64, _ random: inout SeededRandom, _ arrive: @escaping () throws -> Void
    ) {
        guard simulation.clock.now >= cutUntil, !random.chance(simulation.faults.lost) else { return }
        for _ in 0..<(random.chance(simulation.faults.repeated) ? 2 : 1) {
            last = max(last, simulation.clock.now + Int64(random.below(simulation.faults.longestDelay + 1)))
            underWay += 1
            simulation.timeline.at(last) { [self] in
                underWay -= 1
                if !isDead && simulation.clock.now >= cutUntil { try arrive() }
            }
        }
    }

    /// While nothing gets lost, a reader that has room and nothing to do must have everything: else somebody forgot to
    /// wake somebody up, and only a heartbeat would help.
    func checkThatNothingSleeps() throws {
        guard simulation.isCalmFromTheStart, !isDead, underWay == 0, core.status.isConnected, core.held.blocks == 0,
            !lane.isBusy(with: self), lane.core != nil, simulation.clock.now - Self.awakening >= simulation.wokenAt
        else { return }
        let newest = lane.newest(of: core.subscription.kinds)
        guard core.received < newest else { return }
        throw SimulationFailure(
            "lane \(core.lane.rawValue): \(reader.name) has \(core.received) of \(newest) blocks and room, but nothing is under way"
        )
    }

    /// What the reader says of itself must be true: it has everything that was committed before the heartbeat that it knows, and
    /// it takes its writer for alive only if it has heard of it. To be asked after a tick of the reader.
    func checkStatus(cursor: UInt64) throws {
        let now = simulation.clock.now, status = core.status
        func failure(_ text: String) -> SimulationFailure {
            SimulationFailure("lane \(core.lane.rawValue): \(reader.name) says \(status), \(text)")
        }
        if status == .current || status == .idle, let heartbeat = core.heartbeat {
            let head = lane.head(before: heartbeat.time)
            guard cursor >= head else { throw failure("has \(cursor) of the \(head) blocks before its heartbeat") }
            simulation.note(status == .idle ? .readerIdle : .readerCurrent)
        }
        if status.isConnected, now - cameAt > LaneReaderCore.heartbeatTimeout { throw failure("and has heard nothing") }
        guard status == .silent else { return }
        simulation.note(.writerSilent)
        let since = max(simulation.wokenAt, lane.openedAt, madeAt)
        guard !simulation.isCalmFromTheStart || lane.core == nil || now - Self.awakening - Self.beats < since else {
            throw failure("its writer is there and nothing gets lost")
        }
    }
}
