import AlarmRules
import Foundation
import Models
import QoE

/// Documents of rules for tests.
enum RuleText {
    static func rule(_ json: String, id: String = "r") throws -> AlarmRule {
        try AlarmRule(compiling: Array(json.utf8), id: id, programmes: .qoe)
    }

    static func problems(_ json: String, owned: Set<Scope>? = nil) -> [DocumentProblem] {
        do {
            _ = try AlarmRule(compiling: Array(json.utf8), id: "r", programmes: .qoe, owned: owned)
            return []
        } catch { return error.problems }
    }

    /// A document with some members other than those of a plain one; nil takes a member away.
    static func count(_ changes: [String: Any?] = [:]) -> String {
        text(
            [
                "version": 1, "kind": "count", "metric": "event", "bad": ["no_service"], "window_s": 900, "set": 3,
                "clear": 0, "hold_set_s": 0, "hold_clear_s": 300, "lateness_s": 300, "level": 12, "severity": "major",
                "text": "no service",
            ], changes)
    }

    static func ratio(_ changes: [String: Any?] = [:]) -> String {
        text(
            [
                "version": 1, "kind": "ratio", "metric": "latency_ms", "bad": ["above": 500], "window_s": 900,
                "set": 0.5, "clear": 0.25, "hold_set_s": 120, "hold_clear_s": 300, "lateness_s": 300, "level": 12,
                "min_devices": 3, "severity": "minor", "text": "slow",
            ], changes)
    }

    static func text(_ plain: [String: Any], _ changes: [String: Any?]) -> String {
        var members = plain
        for (name, value) in changes { members[name] = value }
        let data = try! JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }
}
