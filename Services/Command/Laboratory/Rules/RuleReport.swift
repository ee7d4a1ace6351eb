import AlarmRules
import CommandSupport
import Foundation
import Models
import ServiceKit

/// What rules found in a recording, for people and programs.
struct RuleReport {
    private let replay: RuleReplay
    private let before: RuleReplay?
    private let truth: RuleTruth?

    init(_ replay: RuleReplay, before: RuleReplay?, truth: RuleTruth?) {
        self.replay = replay
        self.before = before
        self.truth = truth
    }

    private var alarms: [FoundAlarm] { replay.alarms.sorted { ($0.toldAt, $0.rule) < ($1.toldAt, $1.rule) } }

    /// Alarms of one that the other does not have.
    private static func missing(_ one: RuleReplay, in other: RuleReplay) -> [FoundAlarm] {
        let known = Set(
            other.alarms.map { [$0.rule, $0.owner.text, $0.subject.text, "\($0.raisedAt)", "\($0.clearedAt ?? 0)"] })
        return one.alarms.filter {
            !known.contains([$0.rule, $0.owner.text, $0.subject.text, "\($0.raisedAt)", "\($0.clearedAt ?? 0)"])
        }
    }

    var text: String {
        var parts = [alarms.isEmpty ? "no alarm in \(replay.rows) rows" : table(alarms)]
        for (id, figures) in replay.figures.sorted(by: { $0.key < $1.key }) {
            parts.append(
                "\(id): \(figures.rows) rows, \(figures.late) too late, \(figures.unplaced) without a place as fine as its level"
            )
        }
        if let truth {
            parts += truth.scores(replay.alarms).map(Self.text)
            parts.append(
                "precision: \(truth.precision(replay.alarms).map { String(format: "%.2f", $0) } ?? "no alarm")")
        }
        if let before {
            let added = Self.missing(replay, in: before), gone = Self.missing(before, in: replay)
            parts.append(added.isEmpty ? "no alarm is new" : "new:\n\(table(added))")
            parts.append(gone.isEmpty ? "no alarm is gone" : "gone:\n\(table(gone))")
        }
        return parts.joined(separator: "\n")
    }

    private func table(_ alarms: [FoundAlarm]) -> String {
        let rows = alarms.map { alarm in
            [
                alarm.rule, alarm.owner.name.isEmpty ? "unknown" : alarm.owner.name, alarm.subject.text,
                alarm.severity.rawValue, Self.time(alarm.raisedAt), Self.time(alarm.toldAt),
                alarm.clearedAt.map(Self.time) ?? "not cleared", "\(alarm.isSampled ? "≥ " : "")\(alarm.devices)",
                Self.storm(alarm),
            ]
        }
        return TextTable(
            ["rule", "owner", "subject", "severity", "raised", "told", "cleared", "devices", "storm"], rows, right: [7]
        )
        .text
    }

    private static func storm(_ alarm: FoundAlarm) -> String {
        if alarm.children > 0 { return "parent of \(alarm.children)" }
        return alarm.parent.map { "child, storm \($0)" } ?? ""
    }

    private static func time(_ time: UnixMilliseconds) -> String {
        Date(timeIntervalSince1970: Double(time / 1_000)).formatted(.iso8601)
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "rows": .integer(Int64(replay.rows)), "mock": .integer(Int64(replay.mock)),
            "alarms": .array(
                alarms.map { Self.json($0, of: truth?.fault(of: $0)) }),
        ]
        if let truth {
            members["precision"] = truth.precision(replay.alarms).map { .number($0) } ?? .null
            members["kinds"] = .array(truth.scores(replay.alarms).map(Self.json))
            members["faults"] = .array(
                truth.faults.map { Self.json($0, foundBy: truth.first(of: $0, replay.alarms)) })
        }
        if let before {
            members["new"] = .array(Self.missing(replay, in: before).map { Self.json($0, of: truth?.fault(of: $0)) })
            members["gone"] = .array(Self.missing(before, in: replay).map { Self.json($0, of: truth?.fault(of: $0)) })
        }
        return .object(members)
    }

    /// One line a kind of fault.
    private static func text(_ score: RuleTruth.Score) -> String {
        func middle(_ delays: [UnixMilliseconds]) -> String {
            delays.isEmpty ? "" : "\(delays[delays.count / 2] / 1_000)"
        }
        let delays =
            score.told.last.map { last in
                " (raised \(middle(score.raised)) s after the beginning in the median, told after \(middle(score.told)) s, "
                    + "at most \(last / 1_000) s)"
            } ?? ""
        return "\(score.kind): \(score.found) of \(score.faults) found\(delays); "
            + "\(score.right) of \(score.alarms) alarms of rules that look for it are of one"
    }

    private static func json(_ score: RuleTruth.Score) -> JSONValue {
        [
            "kind": .string(score.kind), "faults": .integer(Int64(score.faults)), "found": .integer(Int64(score.found)),
            "alarms": .integer(Int64(score.alarms)), "right": .integer(Int64(score.right)),
            "precision": score.precision.map { .number($0) } ?? .null,
            "slowest_ms": score.told.last.map { .integer($0) } ?? .null,
        ]
    }

    private static func json(_ fault: RuleTruth.Fault, foundBy alarm: FoundAlarm?) -> JSONValue {
        [
            "kind": .string(fault.kind), "plmn": fault.plmn.map { .string($0) } ?? .null,
            "from_ms": .integer(fault.from_ms), "to_ms": .integer(fault.to_ms),
            "rule": alarm.map { .string($0.rule) } ?? .null,
            "raised_ms": alarm.map { .integer($0.raisedAt) } ?? .null,
            "told_ms": alarm.map { .integer($0.toldAt) } ?? .null,
        ]
    }

    /// - Parameter fault: the one that it is of, by its place among the faults; nil if of none.
    private static func json(_ alarm: FoundAlarm, of fault: Int?) -> JSONValue {
        [
            "finds": alarm.finds.map { .string($0) } ?? .null, "fault": fault.map { .integer(Int64($0)) } ?? .null,
            "rule": .string(alarm.rule), "owner": .string(alarm.owner.text), "subject": .string(alarm.subject.text),
            "episode": .integer(alarm.episode), "severity": .string(alarm.severity.rawValue),
            "raised_ms": .integer(alarm.raisedAt), "told_ms": .integer(alarm.toldAt),
            "cleared_ms": alarm.clearedAt.map { .integer($0) } ?? .null, "devices": .integer(Int64(alarm.devices)),
            "sampled": .bool(alarm.isSampled), "children": .integer(Int64(alarm.children)),
            "parent": alarm.parent.map { .integer($0) } ?? .null,
        ]
    }
}
