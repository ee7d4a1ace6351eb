import Foundation
import Models

/// Compares the lines of a copy with the model: everything of before it was asked for, and nothing of anybody else.
struct CopyComparison {
    private let copy: ReferenceCopy
    private let model: ReferenceModel
    private let rewards: SimulatedRewards
    private let haveHeardNumbers: Bool
    /// What a retention run may have taken since: raw rows of before.
    private let cutoff: Int

    init(_ copy: ReferenceCopy, _ simulation: Simulation, _ services: SimulatedServices) throws {
        self.copy = copy
        model = simulation.model
        rewards = services.rewards
        haveHeardNumbers = services.haveHeardNumbers(simulation)
        let last = try services.retention.runs().last { !$0.order.isDryRun }
        cutoff = Int(last?.order.cutoffs["raw_rows"] ?? 0)
    }

    /// - Parameter lines: of all services but ingest.
    func compare(_ lines: [[String: Any]]) throws {
        let byKind = Dictionary(grouping: lines) { $0["kind"] as? String ?? "" }
        try compareRows((byKind["report"] ?? []) + (byKind["feedback"] ?? []))
        try compareConsents(byKind["consent"] ?? [])
        try compareContributions(byKind["alarm_contribution"] ?? [])
        try compareStatistics(byKind["statistics_row"] ?? [])
        try compareGrants(byKind["grant"] ?? [], carried: byKind["carried_balance"] ?? [])
        try compareNumbers(byKind["payout_number"] ?? [])
    }

    /// What the device had accepted since, or had erased before it asked, may be there too.
    private var possible: [ReferenceRow] { (model.rows + model.erasedRows).filter { $0.device == copy.device } }

    private func compareRows(_ lines: [[String: Any]]) throws {
        var given: [String: [String: Any]] = [:]
        for line in lines where given.updateValue(line, forKey: line["id"] as? String ?? "") != nil {
            throw failure("has row \(line["id"] ?? "") twice")
        }
        if let lost = copy.rows.first(where: { $0.receivedAt >= cutoff && given[$0.id] == nil }) {
            throw failure("lacks row \(lost.id)")
        }
        for row in possible {
            guard let line = given.removeValue(forKey: row.id) else { continue }
            guard says(line, row) else { throw failure("has row \(line) instead of \(row)") }
        }
        if let strange = given.keys.min() { throw failure("has row \(strange), which is nobody's or another's") }
    }

    /// Natural units, words by their names, times in milliseconds.
    private func says(_ line: [String: Any], _ row: ReferenceRow) -> Bool {
        func number(_ name: String) -> Double? { Self.number(line[name]) }
        guard line["kind"] as? String == row.kind, number("received_at_ms") == Double(row.receivedAt),
            number("captured_at_ms") == Double(row.capturedAt), number("flags") ?? 0 == Double(row.flags)
        else { return false }
        return row.stored.allSatisfy { name, value in
            if let words = ReferenceField.words[name] { return line[name] as? String == words[value] }
            guard let field = ReferenceField.numbers[name] else { return number(name) == Double(value) }
            return number(name).map(field.stored) == value
        }
    }

    private func compareConsents(_ lines: [[String: Any]]) throws {
        let given = lines.map { line in
            ReferenceLedgerEntry(
                device: copy.device, version: Self.integer(line["version"]),
                purposes: Set(line["purposes"] as? [String] ?? []), receivedAt: Self.integer(line["received_at_ms"]))
        }
        let all = model.ledger.filter { $0.device == copy.device }, kept = model.keptLedger
        guard copy.consents.allSatisfy({ given.contains($0) || !kept.contains($0) }), given.allSatisfy(all.contains)
        else { throw failure("has consents \(given), not \(copy.consents)") }
    }

    private func compareContributions(_ lines: [[String: Any]]) throws {
        var given: [ReferenceContribution: Int] = [:]
        for line in lines {
            let alarm = AlarmComparison.alarm(line["alarm"] as? String ?? "-")
            given[ReferenceContribution(alarm: alarm, device: copy.device)] = Self.integer(line["first_at_ms"])
        }
        let now = model.contributions, doubtful = model.doubtfulAlarms
        let lost = copy.contributions.first { given[$0.key] != $0.value && now[$0.key] == $0.value }
        let isSure = !model.partlyErased.contains(copy.device)
        let strange = given.first { now[$0.key] != $0.value && !doubtful.contains($0.key.alarm.place) }
        guard lost == nil, strange == nil || !isSure else {
            throw failure("has contributions \(given), not \(copy.contributions)")
        }
    }

    /// A row counts in the 5 minutes of its capture and the finest cell that it can be in.
    private func compareStatistics(_ lines: [[String: Any]]) throws {
        let given = Self.count(lines) { "\(Self.integer($0["captured_ms"])) \($0["cell"] as? String ?? "-")" }
        let least = count(copy.rows), most = count(possible)
        let lost = least.first { given[$0.key] ?? 0 < $0.value }, strange = given.first { $0.value > most[$0.key] ?? 0 }
        guard lost == nil, strange == nil else {
            throw failure("has rows of statistics \(given), at least \(least), at most \(most)")
        }
    }

    private func count(_ rows: [ReferenceRow]) -> [String: Int] {
        Self.count(rows.filter { $0.stored["mock_location"] != 1 }) { row in
            let cell = ReferenceGeography.cells(of: row.record).first
            return "\(row.capturedAt / 300_000 * 300_000) \(cell ?? "-")"
        }
    }

    private static func count<Thing>(_ things: [Thing], by name: (Thing) -> String) -> [String: Int] {
        Dictionary(things.map { (name($0), 1) }, uniquingKeysWith: +)
    }

    /// The dispatcher had heard of every feedback of before, or was told that it had missed it.
    private func compareGrants(_ lines: [[String: Any]], carried: [[String: Any]]) throws {
        let given = Set(lines.map { $0["record"] as? String ?? "" })
        let own = rewards.model.grants.filter { $0.device == copy.device }
        let asked = Set(copy.rows.map(\.id)), kept = rewards.expected(model).filter { $0.device == copy.device }
        let lost = kept.first { asked.contains($0.record) && !given.contains($0.record) }
        let strange = given.subtracting(own.map(\.record)).min()
        guard lost == nil, strange == nil, given.count == lines.count else {
            throw failure("has grants for \(given.sorted()), not for \(kept.map(\.record))")
        }
        guard carried.isEmpty || rewards.paid(to: copy.device) > 0 else { throw failure("has a balance of nothing") }
    }

    /// The number that rewards go to, or one that was given since.
    private func compareNumbers(_ lines: [[String: Any]]) throws {
        let phones = lines.map { $0["phone"] as? String ?? "" }, now = model.payouts[copy.device] ?? ReferencePayout()
        let isSure = now.changes == copy.payout.changes && haveHeardNumbers
        guard phones.count <= 1, phones.allSatisfy(now.given.contains), phones.first == now.phone || !isSure else {
            throw failure("has numbers \(phones), not \(now.phone ?? "none")")
        }
    }

    /// What JSON has as a number; truth is 1.
    private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

    private static func integer(_ value: Any?) -> Int { number(value).map { Int($0) } ?? 0 }

    private func failure(_ text: String) -> SimulationFailure {
        SimulationFailure("\(copy.request) of device \(copy.device) \(text)")
    }
}
