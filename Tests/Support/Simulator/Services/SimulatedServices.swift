import AlertRouter
import BatchAggregator
import ExporterRows
import GRDB
import Lanes
import Models
import Storage
import SubjectRights

/// The reading services of a run: how they start, what happens to them, and whether they have everything.
final class SimulatedServices {
    let router: SimulatedReader
    let aggregator: SimulatedReader
    let exporter: SimulatedReader
    let dispatcher: SimulatedReader
    let privacyWorker: SimulatedReader
    /// The part of ingest that reads lanes.
    let copies: SimulatedReader
    /// The part of the router that runs rules, and what is known of them; nil where nobody does.
    let windows: SimulatedReader?
    let rules: SimulatedRules?
    /// Who tells channels of alarms, and whom; nil where nobody does.
    let notifier: SimulatedReader?
    let receivers: SimulatedReceivers?
    /// What is released; nil where nothing is.
    let releases: SimulatedReleases?
    private let rawDisk: SimulatedRawRows
    let operators: SimulatedOperators
    let exports: SimulatedExports
    let rewards: SimulatedRewards
    let retention: SimulatedRetention
    let strangers: SimulatedStrangers
    private unowned let simulation: Simulation
    unowned let ingest: SimulatedIngest

    var rawRows: RawRowFiles { rawDisk.files }

    var all: [SimulatedReader] {
        [router, aggregator, exporter, dispatcher, privacyWorker, copies] + [windows, notifier].compactMap(\.self)
    }

    init(_ ingest: SimulatedIngest, _ strangers: SimulatedStrangers, in simulation: Simulation) throws {
        self.simulation = simulation
        self.strangers = strangers
        self.ingest = ingest
        rawDisk = try SimulatedRawRows(sealer: simulation.sealer)
        operators = SimulatedOperators(in: simulation)
        exports = SimulatedExports(rawDisk, operators, in: simulation)
        rewards = SimulatedRewards(in: simulation)
        retention = SimulatedRetention(in: simulation)
        let rules = simulation.rules.map { _ in SimulatedRules(in: simulation) }
        self.rules = rules
        router = try SimulatedReader(.router(trust: simulation.alarmTrust, rules), in: simulation)
        windows = try rules.map {
            try SimulatedReader(
                .windows($0, trust: simulation.alarmTrust, sealer: simulation.sealer), in: simulation)
        }
        releases = SimulatedReleases(in: simulation)
        let receivers = simulation.channels.map { _ in SimulatedReceivers(in: simulation) }
        self.receivers = receivers
        notifier = try receivers.map { try SimulatedReader(.notifier($0), in: simulation) }
        aggregator = try SimulatedReader(
            .aggregator(SimulatedOpenRows(), SimulatedSealing(in: simulation), releases), in: simulation)
        exporter = try SimulatedReader(.exporter(rawDisk, operators, exports), in: simulation)
        dispatcher = try SimulatedReader(.dispatcher(rewards), in: simulation)
        privacyWorker = try SimulatedReader(.privacyWorker(retention, hasNotifier: receivers != nil), in: simulation)
        copies = try SimulatedReader(.copies(ingest), in: simulation)
        ingest.cleanCopies = { [unowned copies] in try copies.database.read { try ErasureExecutor.done($0) } }
        ingest.retainedCopies = { [unowned copies] in try copies.database.read { try RetentionExecutor.done($0) } }
        retention.database = { [unowned privacyWorker] in privacyWorker.database }
        retention.wake = { [unowned privacyWorker] in privacyWorker.wake() }
        operators.contacts.alarms = { [unowned router] in
            try router.database.read {
                try String.fetchAll(
                    $0,
                    sql: """
                        SELECT id FROM alarms WHERE cleared_at IS NULL AND scheme = 'cell'
                            AND rule IN ('urgent', 'one', 'two', 'three') ORDER BY number
                        """)
            }
        }
        router.partner = windows
        windows?.partner = router
        rules?.router = { [unowned router] in router }
        operators.noteDocument = { [weak rules, weak receivers] in
            switch $0 {
            case .rule(let rule): rules?.note(rule, as: $1)
            case .channel(let channel): receivers?.note(channel, as: $1)
            }
        }
        receivers?.wake = { [weak notifier] in notifier?.wake() }
        receivers?.isDying = { [weak notifier] in notifier?.diesAfterCommit ?? false }
        operators.wake = { [unowned exporter] in exporter.wake() }
        exports.wake = { [unowned exporter] in exporter.wake() }
        rewards.wake = { [unowned dispatcher] in dispatcher.wake() }
        rewards.isDying = { [unowned dispatcher] in dispatcher.diesAfterCommit }
    }

    /// Starts the services in any order, some of them when there is already something to read.
    func start() {
        for service in all {
            let delay = simulation.random.chance(500) ? 0 : simulation.random.below(5000)
            simulation.timeline.after(delay) { try service.start() }
        }
    }

    /// Who woke looks at the time.
    func wakeAll() {
        for service in all { service.awaken() }
    }

    // MARK: Troubles

    /// One of those that keep something, the exporter mostly.
    func slowReader() -> SimulatedReader {
        simulation.random.pick([exporter, exporter, exporter, router, dispatcher, copies, privacyWorker])
    }

    /// Lets one of the services die, now or around a commit.
    func trouble(commits: Int, afterwards: Bool) {
        let service = simulation.random.pick(all)
        if simulation.random.chance(250) {
            service.die()
        } else {
            service.arm(commits: commits, afterwards: afterwards)
        }
    }

    func disarm() {
        for service in all { service.disarm() }
    }

    func cutOne(for milliseconds: Int) {
        let links = simulation.random.pick(all).links
        guard !links.isEmpty else { return }
        let lane = simulation.random.pick(links.keys.sorted { $0.id < $1.id })
        links[lane]!.cut(for: milliseconds)
    }

    func cutAll(for milliseconds: Int) {
        for service in all {
            for lane in SimulatedIngest.lanes { service.links[lane]?.cut(for: milliseconds) }
        }
    }

    // MARK: Standing

    /// Everything is read, counted, paid, told and published.
    func areCaughtUp() throws -> Bool {
        guard all.allSatisfy(\.isCaughtUp), isFolded, isRouterAtRest, operators.areDone, rules?.areAtRest ?? true else {
            return false
        }
        return try dispatcher.database.read { try RewardCheck(provider: rewards.provider, db: $0).open() == 0 }
            && haveToldNewcomers() && (receivers?.areTold(by: notifier!.database) ?? true)
    }

    /// True once each of the erasures is completed: all six have signed.
    func haveErased(_ requests: Set<String>) throws -> Bool {
        let completed = try privacyWorker.database.read {
            try String.fetchSet($0, sql: "SELECT request FROM erasure_orders WHERE state = 'completed'")
        }
        return completed.isSuperset(of: requests)
    }

    /// True once no open row waits to be counted.
    private var isFolded: Bool {
        guard let effects = aggregator.effects as? AggregatorEffects else { return false }
        guard releases != nil else { return effects.nextTick == nil }
        // It looks each minute whether there is something to release.
        return !effects.hasWork && effects.nextTick ?? .max > simulation.clock.now + 1_000
    }

    /// True once the router has done what is due: it judges late erasures in a step after the one in which it heard of them,
    /// and tells an alarm's changes, and who counted in it, once a second.
    private var isRouterAtRest: Bool {
        guard let effects = router.engine?.effects else { return false }
        // After a sleep it waits until ingest has told it that nothing else came meanwhile.
        return effects.nextTick ?? .max > simulation.clock.now + 1_000
            && effects.completeTo ?? .min >= simulation.wokenAt
    }

    /// True once the router has told new tenants what it knew before, and forgotten removed ones.
    private func haveToldNewcomers() throws -> Bool {
        try router.database.read { db in
            try !Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM tenants WHERE state = 1 OR state = 0 AND told_through < tell_through)"
            )!
        }
    }

    /// After a restore: who has read ingest's lanes before must stop, with the right reason.
    var haveStopped: Bool {
        all.allSatisfy { service in
            SimulatedIngest.lanes.allSatisfy { lane in
                guard let link = service.links[lane] else { return service.engine != nil }
                if case .stopped = link.core.status { return true }
                return false
            }
        }
    }

    /// True if every service has a durable cursor on each of ingest's lanes that it reads.
    var haveAllBegun: Bool {
        all.allSatisfy { service in
            guard let engine = service.engine else { return false }
            return engine.subscriptions.map(\.lane).filter(SimulatedIngest.lanes.contains)
                .allSatisfy { engine.cursor($0) != nil }
        }
    }

    var standing: String {
        all.map { service in
            let lanes = service.links.sorted { $0.key.id < $1.key.id }.map { lane, link in
                "\(lane.rawValue) \(link.core.received)/\(simulation.lanes[lane]?.core?.head ?? 0) \(link.core.status)"
            }
            return "\(service.name): \(lanes.joined(separator: ", "))"
        }.joined(separator: "; ") + "; operators are done: \(operators.areDone), rows are counted: \(isFolded), "
            + ((try? retention.standing()) ?? "")
    }
}
