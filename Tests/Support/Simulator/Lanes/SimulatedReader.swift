import GRDB
import Lanes
import Models
import ServiceKit
import Storage
import SubjectRights
import Wire

/// A reading service: the product's effects in the product's engine, with the threads and sockets around it simulated.
///
/// Its database stays when it dies; everything else is made anew.
final class SimulatedReader {
    /// What makes a service what it is.
    struct Plan {
        var name: String
        var migrations: [Migration]
        var reads: [LaneSubscription]
        var writes: [LaneName]
        /// From its database and the journals of the lanes it writes.
        var effects: (ServiceDatabase, [Journal]) throws -> any BlockEffects
        /// Told when it has started.
        var began: () -> Void = {}
        /// Told what each commit applied.
        var applied: ([LaneBlock]) throws -> Void = { _ in }
        /// Asked after each commit what it changed, beside what was applied.
        var looked: (ServiceDatabase) throws -> Void = { _ in }
        /// Its database among its files in a home, in the folder of its service.
        var file = "state.sqlite"
        /// The service of which it is a part, if that has another name.
        var folder: String?
        /// Told when it dies.
        var died: () -> Void = {}
        /// What it does with its files in a home before it opens anything else.
        var takeIn: (Home, ServiceDatabase) throws -> Void = { _, _ in }
    }

    let name: String
    private(set) var database: ServiceDatabase
    private(set) var engine: EffectEngine?
    private(set) var links: [LaneName: SimulatedLink] = [:]
    /// How often it was started, and how often before its home was restored.
    private(set) var life = 0
    private(set) var livesBefore = 0
    /// Its files are those of its home.
    private(set) var hasTakenIn = false
    /// Numbers of the blocks that it was told it had missed, by lane.
    private(set) var missed: [LaneName: Set<UInt64>] = [:]
    /// Cursors of its first commit on each lane.
    private(set) var firstCursors: [LaneName: UInt64] = [:]
    private(set) var isUpgraded = false
    /// What runs in the same process: they die together.
    weak var partner: SimulatedReader?
    private let plan: Plan
    private var crashPoint: CrashPoint
    private unowned let simulation: Simulation
    private var inbox: [LaneName: [LaneBlock]] = [:]
    private var skipped: [LaneName: Position] = [:]
    private var plannedWork: Int64?
    private var applied = AppliedMark()
    private var completeness = LaneCompleteness()
    /// It will die after its next commit, before anybody learns of it.
    private(set) var diesAfterCommit = false

    init(_ plan: Plan, in simulation: Simulation) throws {
        self.plan = plan
        self.simulation = simulation
        name = plan.name
        database = try ServiceDatabase(
            path: simulation.path(plan.folder ?? plan.name, plan.file), migrations: plan.migrations)
        crashPoint = try CrashPoint(on: database)
    }

    /// The service of a home that it is the whole of; nil of a part.
    var service: ServiceName? { plan.writes.isEmpty ? nil : ServiceName(rawValue: name) }

    /// What the run knows of it, for a backup.
    var knowledge: BackedUpKnowledge.OfReader { .init(missed: missed, firstCursors: firstCursors) }

    /// Dies with its home, and comes back after so many milliseconds in the present one.
    ///
    /// - Parameter commits: it dies again before the commit that follows so many.
    func move(to knowledge: BackedUpKnowledge.OfReader, after milliseconds: Int, dyingAfter commits: Int?) throws {
        die(for: milliseconds)
        database = try ServiceDatabase(
            path: simulation.path(plan.folder ?? plan.name, plan.file), migrations: plan.migrations)
        crashPoint = try CrashPoint(on: database)
        (missed, firstCursors) = (knowledge.missed, knowledge.firstCursors)
        (livesBefore, hasTakenIn) = (life, false)
        if let commits { crashPoint.arm(after: commits) }
    }

    var writes: [LaneName] { plan.writes }

    /// The service's own effects, without access, erasure and retention around them.
    var effects: (any BlockEffects)? {
        (engine?.effects as? SubjectRightsEffects)?.service ?? engine?.effects
    }

    private func isOptional(on lane: LaneName) -> Bool { plan.reads.contains { $0.lane == lane && !$0.isRequired } }

    func start() throws {
        guard engine == nil else { return }
        life += 1
        do { try open() } catch is SimulatedCrash {
            if simulation.isRestored, !hasTakenIn { simulation.note(.serviceKilledInRestore) }
            die()
        }
    }

    private func open() throws {
        let sealer = simulation.sealer
        if let home = simulation.home?.current { try plan.takeIn(home, database) }
        hasTakenIn = true
        (applied, completeness) = (AppliedMark(), LaneCompleteness())
        let journals = try plan.writes.map { lane in
            try Journal(lane: lane, in: database, sealer: sealer, newGeneration: { simulation.random.next() >> 1 | 1 })
        }
        let reads = plan.reads.map { read in
            LaneSubscription(
                lane: read.lane, kinds: read.kinds.map { known($0, on: read.lane) }, isRequired: read.isRequired,
                window: simulation.faults.window)
        }
        let engine = try EffectEngine(
            database: database, reads: reads, journals: journals, effects: plan.effects(database, journals))
        self.engine = engine
        for journal in journals {
            simulation.lanes[journal.lane]!.open(journal, in: database, sealer: sealer, isUpgraded: isUpgraded)
        }
        for subscription in reads {
            let lane = subscription.lane
            links[lane] = SimulatedLink(
                subscription, cursor: engine.cursor(lane), to: simulation.lanes[lane]!, of: self, in: simulation)
        }
        plan.began()
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
        die(for: simulation.random.within(20...2000))
    }

    /// The same, and starts again after so many milliseconds.
    func die(for milliseconds: Int) {
        disarm()
        engine = nil
        links.values.forEach { $0.die() }
        links = [:]
        inbox = [:]
        skipped = [:]
        plannedWork = nil
        for lane in plan.writes { simulation.lanes[lane]!.close() }
        plan.died()
        simulation.timeline.after(milliseconds) { [self] in try start() }
        if let partner, partner.engine != nil { partner.die(for: milliseconds) }
    }

    /// Ends, and comes back as a newer program. If it had met what only that understands, it must have said so.
    func upgrade() throws {
        for (lane, link) in links {
            guard case .stopped(let error) = link.core.status else { continue }
            guard case .newerKind = error, link.core.status.sentence(lane).contains("upgrade this service") else {
                throw SimulationFailure("\(name) has stopped: \(error)")
            }
            simulation.note(.readerMetNewerKind)
        }
        isUpgraded = true
        simulation.note(.upgraded)
        die()
    }

    /// A kind in the version that this program understands.
    private func known(_ kind: RecordKind, on lane: LaneName) -> RecordKind {
        guard isUpgraded, lane == simulation.upgradedLane, kind.id == SimulatedLane.upgradedKind(of: lane).id else {
            return kind
        }
        return RecordKind(
            id: kind.id, name: kind.name, version: kind.version + 1, fields: kind.fields,
            serverFields: kind.serverFields)
    }

    func take(_ block: Block, from lane: LaneName) throws {
        let known = engine?.subscriptions.first { $0.lane == lane }?.kinds.first { $0.id == block.header.kind }
        guard let known, block.header.kindVersion <= known.version else {
            throw SimulationFailure("\(name) took a block of kind \(block.header.kind) that it does not understand")
        }
        inbox[lane, default: []].append(LaneBlock(lane: lane, block: block))
        planWork(after: simulation.pause())
    }

    /// The writer no longer has so many blocks: only an optional reader may ever be told that.
    func miss(_ blocks: UInt64, after last: UInt64, on lane: LaneName) throws {
        guard isOptional(on: lane) else {
            throw SimulationFailure("lane \(lane.rawValue): \(name) missed \(blocks) blocks")
        }
        missed[lane, default: []].formUnion(last + 1...last + blocks)
        simulation.note(.optionalReaderMissedBlocks)
    }

    /// What another thread of the service writes between two steps; false if it is not there, or dies of it.
    func write(_ change: (Database) throws -> Void) throws -> Bool {
        guard engine != nil else { return false }
        do { try database.write { try change($0) } } catch is SimulatedCrash {
            die()
            return false
        }
        return true
    }

    /// Something waits for it that comes by no lane.
    func wake() {
        if engine != nil { planWork(after: simulation.pause()) }
    }

    /// It wakes after a sleep: what was due meanwhile is due now.
    func awaken() {
        plannedWork = nil
        wake()
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
        // What is passed over comes after what is still to be taken.
        let skips = skipped.filter { inbox[$0.key]?.isEmpty ?? true }
        skipped = skipped.filter { skips[$0.key] == nil }
        let fresh = blocks.filter { $0.position.block > engine.cursor($0.lane)?.block ?? 0 }
        let commits = crashPoint.commits
        do {
            let outcome = try engine.step(blocks, skipped: skips, now: simulation.clock.now)
            for (lane, position) in outcome.moved where firstCursors[lane] == nil {
                firstCursors[lane] = position.block
            }
            try told(fresh)
            if diesAfterCommit && (!outcome.moved.isEmpty || outcome.didTick) { throw SimulatedCrash() }
            for journal in engine.journals {
                guard let through = journal.takeRewritten() else { continue }
                try simulation.lanes[journal.lane]!.handle(.rewritten(through: through))
            }
            for (lane, blocks) in outcome.appended { try simulation.lanes[lane]!.handle(.committed(blocks)) }
            try release(blocks, skips, engine)
        } catch is SimulatedCrash {
            // It may die of what comes after the commit of the step.
            if crashPoint.commits > commits { try told(fresh) }
            return die()
        }
        if let tick = engine.effects.nextTick { planWork(after: max(1, Int(clamping: tick - simulation.clock.now))) }
        if inbox.values.contains(where: { !$0.isEmpty }) { planWork(after: simulation.pause() + 1) }
    }

    private func told(_ applied: [LaneBlock]) throws {
        try plan.applied(applied)
        try plan.looked(database)
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
            if plan.writes.contains(lane) { try simulation.lanes[lane]!.handle(.tick(now: now, time: now)) }
        }
        for (lane, link) in links { try link.checkStatus(cursor: engine.cursor(lane)?.block ?? 0) }
        if let moment = applied.look(reads(engine), now: now) { engine.effects.appliedAll(before: moment) }
        if completeness.look(reads(engine)) { engine.effects.lanesComplete(to: completeness.moments) }
        if let tick = engine.effects.nextTick { planWork(after: max(1, Int(clamping: tick - now))) }
        simulation.timeline.after(1000) { [self] in try tick(life, beat: beat + 1) }
    }

    private func reads(_ engine: EffectEngine) -> [ReadFigures] {
        plan.reads.map(\.lane).map { lane in
            links[lane]!.figures(cursor: engine.cursor(lane)?.block ?? 0)
        }
    }
}
