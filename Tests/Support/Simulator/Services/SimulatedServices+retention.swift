import GRDB
import Models
import Storage

extension SimulatedServices {
    /// What goes when its time is over, as it is now.
    func scan() throws -> RetentionScan {
        var databases = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.database) })
        (databases["ingest"], databases["copies"]) = (ingest.database, copies.database)
        return try RetentionScan(databases)
    }

    /// Notes whether the exporter has rows that came when the run that should have taken them was over.
    func noteLateRows(_ simulation: Simulation) throws {
        guard let cutoff = try retention.runs().last(where: { !$0.order.isDryRun })?.order.cutoffs["raw_rows"],
            try RawRowComparison(rawRows).hasRows(before: Int(cutoff))
        else { return }
        simulation.note(.rowOfAGoneDay)
    }

    /// After a night: runs were those of the model; what is too old is gone, and nothing else.
    ///
    /// - Parameter before: before the night; nil if something else has gone in it, too.
    func compareRetention(_ before: RetentionScan?, _ simulation: Simulation) throws {
        try retention.check(simulation)
        let last = try retention.runs().last { !$0.order.isDryRun }
        let former = simulation.model
        if let last { simulation.model.retain(at: Int(last.order.issuedAt)) }
        guard let policy = simulation.model.retention else { return }
        let after = try scan()
        try after.expectNothingOld(policy)
        if let before { try after.expectTheRest(of: before, policy, now: Int(simulation.clock.now)) }
        try compareStrangers(policy, now: Int(simulation.clock.now))
        if let before { note(former, before, after, simulation) }
    }

    /// Whoever tried a token that is nobody's stands there until its time is over.
    private func compareStrangers(_ policy: ReferenceRetention, now: Int) throws {
        for (service, times) in strangers.written {
            let database = service == "ingest" ? ingest.database : exporter.database
            let expected = times.map { $0 / 60_000 * 60_000 }.filter { policy.keeps("failed_authentications", of: $0) }
            let found = try database.read {
                try Int.fetchOne($0, sql: "SELECT coalesce(sum(count), 0) FROM failed_authentications") ?? 0
            }
            guard found == expected.count else {
                throw SimulationFailure("\(service) knows of \(found) strangers, expected \(expected.count)")
            }
        }
    }

    private func note(
        _ former: ReferenceModel, _ before: RetentionScan, _ after: RetentionScan, _ simulation: Simulation
    ) {
        let model = simulation.model
        if model.rawRows.count < former.rawRows.count { simulation.note(.rawRowsRetired) }
        if model.keptLedger.count < former.keptLedger.count { simulation.note(.consentsRetired) }
        let events: [(String, SimulatedEvent)] = [
            ("receipts", .receiptsRetired), ("failed_authentications", .failuresRetired),
            ("contributions", .contributionsRetired), ("alarms", .alarmsRetired), ("reward_links", .linksForgotten),
            ("ledger", .ledgerRetired), ("erasure_notices", .noticesRetired),
        ]
        for (kind, event) in events where after.count(of: kind) < before.count(of: kind) { simulation.note(event) }
    }
}
