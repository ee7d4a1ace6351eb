import Models

/// One run: phones, ingest, lanes and readers in virtual time, with everything going wrong that the seed says.
///
/// Confined to one thread. ``run()`` throws at the first promise that is not kept.
final class SimulationRun {
    private static let span: Int64 = 9_000
    /// Virtual milliseconds after the last act in which everything must have arrived.
    private static let patience: Int64 = 120_000

    let simulation: Simulation
    let ingest: SimulatedIngest
    let services: SimulatedServices
    private let strangers: SimulatedStrangers
    private let copies: SimulatedCopies
    let phones: SimulatedPhones
    private let payouts: SimulatedPayouts
    /// Who makes backups and restores of the home, if it is to be lost.
    private let houseOperator: SimulatedOperator?
    /// What had been accepted when ingest's database was replaced by an older copy.
    private var acceptedBeforeRestore: [ReferenceRow]?

    var clock: VirtualClock { simulation.clock }
    var timeline: Timeline { simulation.timeline }

    init(seed: UInt64) throws {
        simulation = try Simulation(seed: seed, start: SimulationSettings.start, span: Self.span)
        let world = RandomWorld(seed: simulation.random.next(), start: SimulationSettings.start, span: Self.span)
        let consents = RandomConsents(
            seed: simulation.random.next(), of: world, phones: RandomWorld.phones, start: SimulationSettings.start,
            span: Self.span)
        var erasures = SimulatedErasure.random(
            seed: seed &* 31 &+ 7, phones: RandomWorld.phones, start: SimulationSettings.start, span: Self.span)
        if simulation.rules?.isUndisturbed ?? false { erasures = [] }
        if let restore = simulation.faults.homeRestore {
            for index in erasures.indices where simulation.random.chance(500) {
                erasures[index].at =
                    SimulationSettings.start + Int64(restore.backedUpAfter + simulation.random.within(-800...3000))
            }
        }
        strangers = SimulatedStrangers(in: simulation)
        ingest = try SimulatedIngest(strangers, in: simulation)
        services = try SimulatedServices(ingest, strangers, in: simulation)
        copies = SimulatedCopies(services, ingest, in: simulation)
        phones = SimulatedPhones(world, consents, erasures, ingest: ingest, in: simulation)
        payouts = SimulatedPayouts(phones, services, ingest, in: simulation)
        if let faults = simulation.faults.homeRestore, let home = simulation.home {
            houseOperator = SimulatedOperator(faults, home, services, phones, in: simulation)
        } else {
            houseOperator = nil
        }
    }

    /// Runs to the end and compares; gives back the rare things that happened.
    func run() throws -> Set<SimulatedEvent> {
        // What is still planned refers to this run.
        defer { timeline.clear() }
        timeline.after(simulation.random.chance(700) ? 0 : simulation.random.below(1500)) { [self] in
            try ingest.start()
        }
        services.start()
        services.operators.start(from: SimulationSettings.start, span: Self.span)
        phones.readCopy = { [unowned copies] in try copies.read($0) }
        phones.start()
        payouts.start()
        planTroubles()
        houseOperator?.start(from: SimulationSettings.start)
        if let retention = simulation.retention {
            // What they are remembered by may be lost with a home.
            if houseOperator == nil {
                strangers.start(from: SimulationSettings.start, span: Self.span, exporter: services.exporter)
            }
            planNaps(retention)
        }
        planPauses()
        timeline.at(SimulationSettings.start + Self.span + 3000) { [self] in
            simulation.faults.clear()
            ingest.disarm()
            services.disarm()
        }
        while try !isSettled() {
            guard clock.now < SimulationSettings.start + Self.span + Self.patience + simulation.slept,
                timeline.nextTime != nil
            else {
                if let acceptedBeforeRestore { try services.compareAfterRestore(acceptedBeforeRestore) }
                throw SimulationFailure(
                    "does not come to rest: \(services.standing), phones: \(phones.standing)"
                        + (payouts.areHeard ? "" : ", payout numbers not heard"))
            }
            // To look is dear.
            try pass(until: clock.now + 20)
        }
        if let acceptedBeforeRestore {
            try services.compareAfterRestore(acceptedBeforeRestore)
        } else if let retention = simulation.retention {
            try passNights(retention)
        } else {
            try services.compare(simulation)
            if simulation.access?.endsCopies == true { try endCopies() }
            if !simulation.pauses.isEmpty { try endAlarms() }
            if simulation.rules != nil { try endRules() }
        }
        return simulation.events
    }

    func isSettled() throws -> Bool {
        let lastAct = SimulationSettings.start + Self.span + 3000 + simulation.slept
        guard clock.now > lastAct, houseOperator?.isOver ?? true else { return false }
        // Readers that have stopped hold their blocks back, so that a small journal may rightly stay full.
        guard acceptedBeforeRestore == nil else { return clock.now > lastAct + 10_000 && services.haveStopped }
        return try phones.haveAll && payouts.areHeard
            && services.areCaughtUp() && services.haveErased(simulation.requestedErasures)
            && services.retention.isDone() && services.haveClosedCopies(simulation)
    }

    private func planTroubles() {
        for _ in 0..<simulation.faults.crashes {
            timeline.at(someTime()) { [self] in
                let commits = simulation.random.pick([0, 0, 1, 2]), afterwards = simulation.random.chance(400)
                switch simulation.random.below(6) {
                case 0: ingest.arm(commits: commits, afterwards: afterwards)
                case 1: ingest.die()
                default: services.trouble(commits: commits, afterwards: afterwards)
                }
            }
        }
        for _ in 0..<simulation.faults.absences {
            timeline.at(someTime()) { [self] in services.cutOne(for: simulation.random.within(500...6000)) }
        }
        if simulation.faults.restores { planRestore() }
        if simulation.faults.rewardsAbsence > 0 { planAbsence() }
        if simulation.upgradedLane != nil { planUpgrades() }
    }

    private func planRestore() {
        let saved = SimulationSettings.start + Int64(simulation.random.within(3000...6000))
        timeline.at(saved) { [self] in
            let copy = try ingest.copy(), modelThen = simulation.model
            let away = simulation.random.chance(600)
            timeline.after(simulation.random.within(200...2500)) { [self] in
                // A reader that has read nothing yet rightly begins with the new generation.
                guard services.haveAllBegun else { return }
                simulation.note(.restored)
                acceptedBeforeRestore = simulation.model.rows + simulation.model.erasedRows
                simulation.forgottenRows = acceptedBeforeRestore!
                simulation.model = modelThen
                if away { services.cutAll(for: simulation.random.within(2000...6000)) }
                try ingest.restore(copy)
            }
        }
    }

    /// The country goes on without rewards for a while.
    private func planAbsence() {
        timeline.at(SimulationSettings.start + Int64(simulation.random.within(1000...4000))) { [self] in
            services.dispatcher.die(for: simulation.faults.rewardsAbsence)
        }
    }

    /// Every service becomes a newer program, one at a time, mostly readers before writers.
    private func planUpgrades() {
        let isInOrder = simulation.random.chance(500)
        let writers: Set<LaneName> = [simulation.upgradedLane!]
        for service in services.all {
            let writes = service.writes.contains(where: writers.contains)
            timeline.at(upgradeTime(isLate: isInOrder && writes)) { try service.upgrade() }
        }
        let ingestWrites = SimulatedIngest.lanes.contains(where: writers.contains)
        timeline.at(upgradeTime(isLate: isInOrder && ingestWrites)) { [self] in ingest.upgrade() }
    }

    private func upgradeTime(isLate: Bool) -> Int64 {
        SimulationSettings.start + Int64(simulation.random.within(isLate ? 7500...9000 : 500...7000))
    }

    private func someTime() -> Int64 { SimulationSettings.start + Int64(simulation.random.below(Int(Self.span))) }
}
