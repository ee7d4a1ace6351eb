import Models

/// One run: phones, ingest, lanes and readers in virtual time, with everything going wrong that the seed says.
///
/// Confined to one thread. ``run()`` throws at the first promise that is not kept.
final class SimulationRun {
    private static let start: Int64 = 1_772_600_000_000
    private static let span: Int64 = 9_000
    /// Virtual milliseconds after the last act in which everything must have arrived.
    private static let patience: Int64 = 60_000

    private let simulation: Simulation
    private let ingest: SimulatedIngest
    private let services: SimulatedServices
    private let world: RandomWorld
    private var acknowledged: Set<Int> = []
    /// What had been accepted when ingest's database was replaced by an older copy.
    private var acceptedBeforeRestore: [ReferenceRow]?

    private var clock: VirtualClock { simulation.clock }
    private var timeline: Timeline { simulation.timeline }

    init(seed: UInt64) throws {
        simulation = Simulation(seed: seed, start: Self.start)
        world = RandomWorld(seed: simulation.random.next(), start: Self.start, span: Self.span)
        ingest = try SimulatedIngest(in: simulation)
        services = try SimulatedServices(in: simulation)
    }

    /// Runs to the end and compares.
    func run() throws {
        // What is still planned refers to this run.
        defer { timeline.clear() }
        try ingest.start()
        try services.start()
        for index in world.uploads.indices { timeline.at(world.uploads[index].sendAt) { [self] in send(index) } }
        planTroubles()
        timeline.at(Self.start + Self.span + 3000) { [self] in
            simulation.weather.clear()
            ingest.disarm()
            services.disarm()
        }
        while !isSettled {
            guard clock.now < Self.start + Self.span + Self.patience, try timeline.step() else {
                if let acceptedBeforeRestore { try services.compareAfterRestore(acceptedBeforeRestore) }
                throw SimulationFailure(
                    "does not come to rest: \(services.standing), \(unacknowledged) uploads unanswered")
            }
        }
        if let acceptedBeforeRestore { return try services.compareAfterRestore(acceptedBeforeRestore) }
        try services.compare(simulation.model)
    }

    private var unacknowledged: Int { world.uploads.count - acknowledged.count }

    private var isSettled: Bool {
        let lastAct = Self.start + Self.span + 3000
        // Readers that have stopped hold their blocks back, so that a small journal may rightly stay full.
        guard acceptedBeforeRestore == nil else { return clock.now > lastAct + 10_000 && services.haveStopped }
        return unacknowledged == 0 && clock.now > lastAct && services.areCaughtUp
    }

    private func send(_ index: Int) {
        guard !acknowledged.contains(index) else { return }
        let upload = world.uploads[index]
        let sentAt = upload.clockError.map { clock.now + $0 }
        timeline.after(1 + simulation.pause()) { [self] in
            try ingest.receive(index, upload, sentAt: sentAt) { [self] isFinal in
                let isLost = simulation.random.chance(simulation.isCalmFromTheStart ? 0 : 80)
                if isLost { return }
                timeline.after(1 + simulation.pause()) { [self] in
                    if isFinal { acknowledged.insert(index) }
                }
            }
        }
        timeline.after(simulation.random.within(1200...4000)) { [self] in send(index) }
    }

    private func planTroubles() {
        for _ in 0..<simulation.weather.crashes {
            timeline.at(someTime()) { [self] in
                let commits = simulation.random.pick([0, 0, 1, 2]), afterwards = simulation.random.chance(400)
                switch simulation.random.below(5) {
                case 0: ingest.arm(commits: commits, afterwards: afterwards)
                case 1: ingest.die()
                case let other: services.trouble(other, commits: commits, afterwards: afterwards)
                }
            }
        }
        for _ in 0..<simulation.weather.absences {
            timeline.at(someTime()) { [self] in services.cutOne(for: simulation.random.within(500...6000)) }
        }
        if simulation.weather.restores { planRestore() }
    }

    private func planRestore() {
        let saved = Self.start + Int64(simulation.random.within(3000...6000))
        timeline.at(saved) { [self] in
            let copy = try ingest.copy(), modelThen = simulation.model
            let away = simulation.random.chance(600)
            timeline.after(simulation.random.within(200...2500)) { [self] in
                // A reader that has read nothing yet rightly begins with the new generation.
                guard services.haveAllBegun else { return }
                acceptedBeforeRestore = simulation.model.rows
                simulation.model = modelThen
                if away { services.cutAll(for: simulation.random.within(2000...6000)) }
                try ingest.restore(copy)
            }
        }
    }

    private func someTime() -> Int64 { Self.start + Int64(simulation.random.below(Int(Self.span))) }
}
