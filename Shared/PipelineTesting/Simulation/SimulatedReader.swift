import Lanes
import Models
import Storage
import Wire

/// A reading service: the product's effects in the product's engine, with the threads and sockets around it simulated.
///
/// Its database stays when it dies; everything else is made anew.
final class SimulatedReader {
    /// What makes a service what it is.
    struct Plan {
        var name: String
        var migrations: [Migration]
        var reads: [(lane: LaneName, kinds: [RecordKind])]
        var writes: [LaneName]
        var effects: (ServiceDatabase) throws -> any BlockEffects
    }

    let name: String
    let database: ServiceDatabase
    private(set) var engine: EffectEngine?
    private(set) var links: [LaneName: SimulatedLink] = [:]
    /// How often it was started.
    private(set) var life = 0
    private let plan: Plan
    private let crashPoint: CrashPoint
    private unowned let simulation: Simulation
    private var inbox: [LaneName: [LaneBlock]] = [:]
    private var skipped: [LaneName: Position] = [:]
    private var plannedWork: Int64?
    private var diesAfterCommit = false

    init(_ plan: Plan, in simulation: Simulation) throws {
        self.plan = plan
        self.simulation = simulation
        name = plan.name
        database = try ServiceDatabase(path: ":memory:", migrations: plan.migrations)
        crashPoint = try CrashPoint(on: database)
    }

    func start() throws {
        life += 1
        do { try open() } catch is SimulatedCrash { die() }
    }

    private func open() throws {
        let sealer = simulation.sealer
        let journals = try plan.writes.map { lane in
            try Journal(lane: lane, in: database, sealer: sealer, newGeneration: { simulation.random.next() >> 1 | 1 })
        }
        let reads = plan.reads.map {
            LaneSubscription(lane: $0.lane, kinds: $0.kinds, window: simulation.weather.window)
        }
        let engine = try EffectEngine(
            database: database, reads: reads, journals: journals, effects: plan.effects(database))
        self.engine = engine
        for journal in journals { simulation.lanes[journal.lane]!.open(journal, in: database, sealer: sealer) }
        for subscription in reads {
            let lane = subscription.lane
            links[lane] = SimulatedLink(
                subscription, cursor: engine.cursor(lane), to: simulation.lanes[lane]!, of: self, in: simulation)
        }
        planTick()
        planWork(after: 1)
    }

    /// Dies before the commit that follows `commits` more, or after the next one, before anybody learns of it.
    func arm(commits: Int, afterwards: Bool) {
        if afterwards { diesAfterCommit = true } else { crashPoint.arm(after: commits) }
    }

    func disarm() {
        diesAfterCommit = false
        crashPoint.disarm()
    }

    /// Everything in memory is gone; starts again after a while.
    func die() {
        disarm()
        engine = nil
        links.values.forEach { $0.die() }
        links = [:]
        inbox = [:]
        skipped = [:]
        plannedWork = nil
        for lane in plan.writes { simulation.lanes[lane]!.close() }
        simulation.timeline.after(simulation.random.within(20...2000)) { [self] in
            if engine == nil { try start() }
        }
    }

    func take(_ block: Block, from lane: LaneName) throws {
        inbox[lane, default: []].append(LaneBlock(lane: lane, block: block))
        planWork(after: simulation.pause())
    }

    func skip(_ position: Position) {
        skipped[position.lane] = position
        planWork(after: simulation.pause())
    }

    /// True once its cursors are at the heads of all lanes it reads.
    var isCaughtUp: Bool {
        guard let engine else { return false }
        return inbox.values.allSatisfy(\.isEmpty)
            && plan.reads.allSatisfy { read in
                guard let head = simulation.lanes[read.lane]!.core?.head else { return false }
                return engine.cursor(read.lane)?.block ?? 0 == head
            }
    }

    private func planWork(after delay: Int) {
        let time = simulation.clock.now + Int64(delay)
        if let planned = plannedWork, planned <= time { return }
        plannedWork = time
        let life = life
        simulation.timeline.at(time) { [self] in
            guard self.life == life, plannedWork == time else { return }
            plannedWork = nil
            try work()
        }
    }

    private func work() throws {
        guard let engine else { return }
        let blocks = takeBlocks(engine)
        let skips = skipped
        skipped = [:]
        do {
            let outcome = try engine.step(blocks, skipped: skips, now: simulation.clock.now)
            if diesAfterCommit && !outcome.moved.isEmpty { throw SimulatedCrash() }
            for (lane, blocks) in outcome.appended { try simulation.lanes[lane]!.handle(.committed(blocks)) }
            try release(blocks, skips, engine)
        } catch is SimulatedCrash {
            return die()
        }
        if let tick = engine.effects.nextTick { planWork(after: max(1, Int(clamping: tick - simulation.clock.now))) }
        if inbox.values.contains(where: { !$0.isEmpty }) { planWork(after: simulation.pause() + 1) }
    }

    /// Some of what waits, the batch lane last, and not at all while an own journal is full.
    private func takeBlocks(_ engine: EffectEngine) -> [LaneBlock] {
        var blocks: [LaneBlock] = []
        for lane in LaneName.allCases where lane != .batch { blocks += inbox.removeValue(forKey: lane) ?? [] }
        guard !engine.isFull, let batch = inbox[.batch] else { return blocks }
        let count = min(batch.count, simulation.random.within(1...8))
        inbox[.batch] = Array(batch.dropFirst(count))
        return blocks + batch.prefix(count)
    }

    private func release(_ blocks: [LaneBlock], _ skips: [LaneName: Position], _ engine: EffectEngine) throws {
        for lane in Set(blocks.map(\.lane)).union(skips.keys).sorted(by: { $0.id < $1.id }) {
            let mine = blocks.filter { $0.lane == lane }
            let bytes = mine.reduce(0) { $0 + $1.block.size }
            try links[lane]?.handle(
                .released(blocks: mine.count, bytes: bytes, committed: engine.cursor(lane)?.block ?? 0))
        }
    }

    private func planTick() {
        let life = life
        simulation.timeline.after(simulation.pause()) { [self] in try tick(life) }
    }

    private func tick(_ life: Int, beat: Int = 0) throws {
        guard self.life == life, let engine else { return }
        let now = simulation.clock.now
        var progress: [LaneName: [ReaderProgress]] = [:]
        do {
            if beat % 3 == 2 {
                for lane in plan.writes { progress[lane] = simulation.lanes[lane]!.takeProgress() }
                try engine.maintain(progress: progress, now: now)
            }
        } catch is SimulatedCrash {
            return die()
        }
        for lane in LaneName.allCases {
            try links[lane]?.handle(.tick(now: now))
            if plan.writes.contains(lane) { try simulation.lanes[lane]!.handle(.tick(now: now)) }
        }
        simulation.timeline.after(1000) { [self] in try tick(life, beat: beat + 1) }
    }
}
