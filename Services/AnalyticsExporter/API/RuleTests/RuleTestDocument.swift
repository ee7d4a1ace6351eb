internal import AlarmRules
internal import ExporterSupport
internal import Models
internal import ServiceKit

/// Writes what a test of a rule found. Counts of devices are lower ends of bands, as in alarms.
struct RuleTestDocument {
    /// Alarms that are told one by one, of each of the two rules; how many there are is told of all.
    static let mostTold = 500

    let id: String
    let run: RuleTestRun
    let found: RuleTestRun.Found

    /// Alarms by what they are about, so that each finds those beside it.
    private struct Shelf {
        private struct Key: Hashable {
            let owner: Scope
            let subject: RuleSubject

            init(_ alarm: TriedAlarm) { (owner, subject) = (alarm.owner, alarm.subject) }
        }

        private let alarms: [Key: [TriedAlarm]]

        init(_ alarms: [TriedAlarm]) { self.alarms = Dictionary(grouping: alarms) { Key($0) } }

        func first(beside alarm: TriedAlarm) -> TriedAlarm? { alarms[Key(alarm)]?.first(where: alarm.meets) }
    }

    var members: JSONValue {
        let beside = Shelf(found.inForce ?? [])
        var members: [String: JSONValue] = [
            "id": .string(id), "alarms": .array(told(found.alarms, beside: beside)),
            "alarm_count": .integer(Int64(found.alarms.count)),
            "rows": count(\.rows), "rows_late": count(\.late), "rows_unplaced": count(\.unplaced),
            "left_out": .array(leftOut.map { .string($0) }),
        ]
        members["in_force"] = found.inForce.map { inForce -> JSONValue in
            let known = Shelf(found.alarms), gone = inForce.filter { known.first(beside: $0) == nil }
            return [
                "alarm_count": .integer(Int64(inForce.count)), "is_same": .bool(run.change.isSame),
                "gone": .array(told(gone, beside: nil)),
            ]
        }
        let times = [
            ("from", run.period.lowerBound), ("to", run.period.upperBound), ("tested_to", found.testedTo),
            ("read_from", found.readFrom),
        ]
        for (name, time) in times { members.merge(Self.time(name, time)) { $1 } }
        return .object(members)
    }

    private func count(_ figure: KeyPath<RuleFigures, Int>) -> JSONValue {
        .integer(Int64(found.figures?[keyPath: figure] ?? 0))
    }

    /// What the router would count and the test does not, and where it ended early.
    private var leftOut: [String] {
        var words = found.stop.map { [$0.rawValue] } ?? []
        if run.scope != .everything { words.append("unshared") }
        if let figures = found.figures, figures.shrunk + figures.rolledUp > 0 { words.append("windows") }
        return words
    }

    /// - Parameter others: alarms of the rule in force, of which each is told the one beside it; nil: they are its own.
    private func told(_ alarms: [TriedAlarm], beside others: Shelf?) -> [JSONValue] {
        alarms.sorted { ($0.raisedAt, $0.owner, $0.subject.text) < ($1.raisedAt, $1.owner, $1.subject.text) }
            .prefix(Self.mostTold).map { alarm in
                var members = Self.members(alarm)
                members["began_before"] = .bool(alarm.raisedAt < run.period.lowerBound)
                if let others {
                    members["in_force"] =
                        others.first(beside: alarm).map { JSONValue.object(Self.members($0)) } ?? .null
                }
                return .object(members)
            }
    }

    private static func members(_ alarm: TriedAlarm) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "owner": .string(alarm.owner.text), "severity": .string(alarm.severity.rawValue),
            "devices_at_least": .integer(DeviceBand.begin(of: Int64(alarm.devices))),
            "children": .integer(Int64(alarm.children)), "is_child": .bool(alarm.parent != nil),
        ]
        switch alarm.subject {
        case .cell(let cell): members["cell"] = cell.map { .string($0.text) } ?? .null
        case .number(let scheme, let number): members["object"] = .string("\(scheme):\(number)")
        }
        members.merge(time("raised", alarm.raisedAt)) { $1 }
        members.merge(time("told", alarm.toldAt)) { $1 }
        if let clearedAt = alarm.clearedAt { members.merge(time("cleared", clearedAt)) { $1 } }
        return members
    }

    private static func time(_ name: String, _ time: UnixMilliseconds) -> [String: JSONValue] {
        [name: .string(Timestamp.text(time)), name + "_ms": .integer(time)]
    }
}
