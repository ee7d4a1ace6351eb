import AlarmRules
import Foundation
import Models
import QoE

/// A row of a test, with when it arrives.
struct WorldRow {
    var row: RuleRow
    /// Its event or latency, in stored units.
    var value: Int64?
    var arrivesAt: UnixMilliseconds
}

/// Rows by chance: a few owners, cells and devices, with bad hours.
struct RuleWorld {
    static let start: UnixMilliseconds = 1_772_406_000_000
    var rows: [WorldRow] = []

    static let cells = ["122223012230", "122223012231", "122223012232"].map { Quadkey(text: $0 + "0000")! }

    init(seed: UInt64, isBadEvents: Bool, minutes: Int = 240, devices: Int = 12, lateness: Int64 = 300_000) {
        var random = SplitMix64(seed: seed)
        let badFrom = random.below(minutes), badTo = badFrom + random.below(60)
        let count = minutes * devices / (2 + random.below(6))
        for _ in 0..<count {
            let minute = random.below(minutes), isBadTime = (badFrom..<badTo).contains(minute)
            let isBad = random.chance(percent: isBadTime ? 70 : 4)
            let value: Int64? = isBadEvents ? (isBad ? 2 : random.chance(percent: 80) ? nil : 0) : (isBad ? 6_000 : 400)
            let at = Self.start + Int64(minute) * 60_000 + random.below(60_000)
            let row = RuleRow(
                kind: 1, device: UInt32(1 + random.below(devices)), eventAt: at,
                owner: random.chance(percent: 70) ? 624_002 : 624_001, place: Self.cells[random.below(3)],
                stratum: 4, hasNetwork: !(isBadEvents && isBad))
            rows.append(WorldRow(row: row, value: value, arrivesAt: at + random.below(lateness)))
        }
        // Somebody is always heard, so that nothing is frozen.
        for minute in stride(from: 0, to: minutes + 400, by: 5) {
            let at = Self.start + Int64(minute) * 60_000
            let row = RuleRow(kind: 1, device: 9_999, eventAt: at, owner: 624_004, place: Self.cells[0], stratum: 4)
            rows.append(WorldRow(row: row, value: isBadEvents ? nil : 400, arrivesAt: at))
        }
    }

    /// The rows as they arrive when delays are drawn anew.
    func shuffled(seed: UInt64, lateness: Int64 = 300_000) -> [WorldRow] {
        var random = SplitMix64(seed: seed)
        return rows.map { row in
            var row = row
            row.arrivesAt = row.row.eventAt + random.below(lateness)
            return row
        }.sorted { $0.arrivesAt < $1.arrivesAt }
    }
}

/// What became of each episode in the end.
struct EpisodeEnd: Hashable, CustomStringConvertible {
    let owner: Int64
    let subject: String
    let number: Int64
    let raised, cleared: Int64?
    let severity: Severity
    let devices: Int

    var description: String {
        "\(owner)/\(subject)#\(number) \(raised ?? -1)…\(cleared ?? -1) \(severity.rawValue) \(devices)"
    }
}

extension RuleEngine {
    /// Plays rows as they arrive and goes on until long after the last one.
    mutating func play(_ rows: [WorldRow], column: UInt8) -> [RuleTransition] {
        var transitions: [RuleTransition] = []
        for row in rows.sorted(by: { $0.arrivesAt < $1.arrivesAt }) {
            transitions += advance(to: row.arrivesAt)
            transitions += add(row.row) { $0 == column ? row.value : nil }
        }
        return transitions + advance(to: (rows.map(\.arrivesAt).max() ?? 0) + 300_000)
    }
}

extension [RuleTransition] {
    /// Of alarms that are no parents of storms.
    var ends: Set<EpisodeEnd> { ends(ofParents: false) }

    func ends(ofParents: Bool) -> Set<EpisodeEnd> {
        var last: [String: EpisodeEnd] = [:]
        for one in self where one.isParent == ofParents {
            let end = EpisodeEnd(
                owner: one.owner.number, subject: one.subject.text, number: one.episode,
                raised: (one.raisedAt - RuleWorld.start) / 60_000,
                cleared: one.clearedAt.map { ($0 - RuleWorld.start) / 60_000 }, severity: one.severity,
                devices: one.devices)
            last["\(one.rule) \(end.owner) \(end.subject) \(end.number)"] = end
        }
        return Set(last.values)
    }
}
