import AnalyticsExporter
import BatchAggregator
import GRDB
import Lanes
import Models
import QoE
import Storage

extension SimulatedServices {
    /// Raw rows, statistics, alarms, consents and grants are those of the model, and everybody sees what is theirs.
    ///
    /// - Parameter withCells: whether statistics are looked at, which is dear: a night only seals them.
    func compare(_ simulation: Simulation, withCells: Bool = true) throws {
        let model = simulation.model
        try RawRowComparison(rawRows).compareAll(model.rawRows)
        if withCells { try compareStatistics(model) }
        let alarms = alarmComparison(simulation)
        try ContributionComparison(
            router: router.database, copies: copies.database, doubtful: model.doubtfulAlarms,
            unsure: model.partlyErased
        ).compare(model.contributions)
        try alarms.compare(model.keptAlarms)
        try compareRules(simulation)
        if let notifier, notifier.missed.isEmpty { try receivers?.compare() }
        try operators.contacts.compare(router.database)
        try simulation.episodes.look(into: router.database)
        noteEnds(simulation)
        if simulation.retention != nil {
            try alarms.compareGone(
                copies.database, unsure: model.partlyErased, now: simulation.clock.now, sealer: simulation.sealer)
        }
        if try alarms.compareLateness() { simulation.note(.erasureLate) }
        try compareTenants(simulation)
        try exports.compare()
        try releases?.compare(exporter.database)
        try LedgerComparison(privacyWorker.database, sealer: simulation.sealer).compare(
            model.keptLedger, entries: model.consents)
        try compareRewards(simulation)
        if let home = simulation.home?.current { try simulation.places.check(home, exporter.database) }
        let scan = ErasureScan(erased: Set(model.erased.map { Int64($0) }))
        for service in all { try scan.look(into: service.database, of: service.name) }
        try scan.look(into: ingest.database, of: "ingest")
        try compareAccess(simulation)
        if model.rows.contains(where: \.isReduced) { simulation.note(.consentReduced) }
        let networks = Dictionary(grouping: model.rows) { $0.purposes.contains("operator_sharing") }
            .mapValues { Set($0.map(\.sim)) }
        if !(networks[true] ?? []).isDisjoint(with: networks[false] ?? []) { simulation.note(.refusedBesideShared) }
        noteTrust(simulation)
    }

    /// Rules were given all records, and their alarms are those of the model.
    private func compareRules(_ simulation: Simulation) throws {
        guard let rules, let windows else { return }
        guard rules.refusals.isEmpty else { throw SimulationFailure("rules are not run: \(rules.refusals)") }
        for (lane, blocks) in simulation.recordBlocks {
            let before = windows.firstCursors[lane] ?? .max
            let lost = blocks.subtracting(rules.appliedBlocks[lane] ?? []).subtracting(windows.missed[lane] ?? [])
                .filter { $0 > before }
            guard lost.isEmpty || !simulation.requestedErasures.isEmpty else {
                throw SimulationFailure(
                    "blocks \(lost.sorted()) of \(lane.rawValue) are lost for rules, and nobody said so")
            }
        }
        let comparison = RuleAlarmComparison(router: router.database, exporter: exporter.database)
        simulation.note(try comparison.compare(rules.outcomes))
        try comparison.compareTold(operators.tenants)
    }

    private func noteEnds(_ simulation: Simulation) {
        let alarms = simulation.model.keptAlarms
        if Set(alarms.keys.map(\.place)).count < alarms.count { simulation.note(.alarmAgain) }
        if alarms.values.contains(where: \.hasLateEvidence) { simulation.note(.alarmEvidenceLate) }
        guard let completeTo = router.effects?.completeTo else { return }
        if alarms.values.contains(where: { $0.endsAt + 60_000 <= completeTo }) { simulation.note(.alarmOver) }
    }

    /// Devices that began to be trusted, or ceased to be young, between two of their rows.
    private func noteTrust(_ simulation: Simulation) {
        let model = simulation.model
        for rows in Dictionary(grouping: model.rows, by: \.device).values {
            if Set(rows.map(\.trust.isTrusted)).count == 2 { simulation.note(.becameTrusted) }
            if Set(rows.map(\.isYoung)).count == 2 { simulation.note(.grewOld) }
        }
        if model.untrustedAlarms > 0 { simulation.note(.alarmUntrusted) }
        if model.lateAlarms > 0 { simulation.note(.alarmLate) }
        if rewards.model.untrusted > 0 { simulation.note(.grantUntrusted) }
    }

    /// Nothing of the new generation was applied, and of the old one nothing twice.
    func compareAfterRestore(_ accepted: [ReferenceRow]) throws {
        try RawRowComparison(rawRows).compareSome(of: accepted)
        for service in all {
            for lane in SimulatedIngest.lanes {
                guard let status = service.links[lane]?.core.status else { continue }
                switch status {
                case .stopped(.otherGeneration), .stopped(.readerAheadOfHead): continue
                default:
                    throw SimulationFailure("\(service.name) goes on after a restore: lane \(lane.rawValue) \(status)")
                }
            }
        }
    }

    /// The cells are those of the model, and the exporter has been told of every one and every sample in them.
    private func compareStatistics(_ model: ReferenceModel) throws {
        var text: [UInt8] = []
        try CellDump.write(
            .qoe, aggregator.database.reader(), openDirectory: "/nonexistent", timeZone: SimulatedReader.Plan.zone,
            to: { text += $0 })
        let dump = String(decoding: text, as: UTF8.self), expected = model.dump
        let stored = try aggregator.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM cells") ?? 0 }
        guard dump == expected else {
            throw SimulationFailure("\(stored) cells: " + TextDifference.first(dump, expected))
        }
        try SimulatedSealing.check(aggregator.database)
        try CellComparison(exporter: exporter.database).compare(model.cells)
        let figures = (exporter.effects as? ExporterEffects)?.figures
        let samples = expected.split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            let isCoarsestDay = words[0] == "86400" && (words[2] == "-" || words[2].count == 6)
            return isCoarsestDay ? sum + Int(words[6].dropFirst("samples=".count))! : sum
        }
        guard figures?.heatmapSamples == Int64(samples), figures?.rawRows == Int64(model.rawRows.count) else {
            throw SimulationFailure(
                "the exporter counts \(figures!), expected \(samples) samples, \(model.rawRows.count) rows")
        }
    }

    private func alarmComparison(_ simulation: Simulation) -> AlarmComparison {
        AlarmComparison(
            router: router.database, exporter: exporter.database, doubtful: simulation.model.doubtfulAlarms,
            numbers: simulation.alertNumbers, areOld: simulation.slept > 8 * 86_400_000,
            completeTo: router.effects?.completeTo.map { Int($0) })
    }

    /// Each tenant sees its raw rows and is told its alarms; of a removed one nothing is left.
    private func compareTenants(_ simulation: Simulation) throws {
        let model = simulation.model
        let alarms = alarmComparison(simulation)
        for tenant in operators.tenants {
            let rows = model.rows(for: tenant)
            try RawRowComparison(rawRows).compare(rows, of: tenant.name, in: exporter.database)
            try alarms.compare(model.keptAlarms(for: tenant), of: tenant.name)
            if model.rawRows.filter(tenant.isConcerned).count > rows.count { simulation.note(.hiddenFromOperator) }
            let isOwn = { (alarm: ReferenceAlarm) in tenant.isRegulator || tenant.networks.contains(alarm.plmn) }
            if !model.alarms(for: tenant).allSatisfy(isOwn) { simulation.note(.tenantSawServed) }
        }
        for tenant in operators.removed { try alarms.compareRemoved(tenant.name) }
    }

    /// Every feedback was heard of, but for what the dispatcher was told that it missed; the grants are the model's.
    private func compareRewards(_ simulation: Simulation) throws {
        for (lane, blocks) in simulation.feedbackBlocks {
            let before = dispatcher.firstCursors[lane] ?? .max
            let unheard = blocks.subtracting(rewards.appliedBlocks[lane] ?? [])
                .subtracting(dispatcher.missed[lane] ?? []).filter { $0 > before }
            if let lost = unheard.min() {
                throw SimulationFailure(
                    "feedback in block \(lost) of \(lane.rawValue) is lost for rewards, and nobody said so")
            }
        }
        try dispatcher.database.read { db in
            try RewardCheck(provider: rewards.provider, db: db).atTheEnd(rewards.expected(simulation.model), simulation)
        }
        try comparePayouts(simulation)
        if rewards.model.beyondMaximum > 0 { simulation.note(.dailyMaximumReached) }
        let lane = RewardLaneComparison(dispatcher.database, sealer: simulation.sealer)
        try lane.compare()
        if simulation.retention != nil { try lane.compare(rewards, erased: simulation.model.erased, copies.database) }
    }
}
