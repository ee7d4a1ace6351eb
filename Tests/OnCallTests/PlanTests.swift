import Channels
import Models
import ServiceKit
import Testing

@testable import OnCall

/// Documents of escalations and of planned work.
@Suite struct PlanTests {
    private func escalation(_ steps: JSONValue, _ more: [String: JSONValue] = [:]) -> [String] {
        do throws(DocumentRefusal) {
            _ = try Escalation(
                compiling: .object(["tenant": "mtn", "steps": steps].merging(more) { $1 }), id: "e")
            return []
        } catch { return error.problems.map(\.path) }
    }

    private func maintenance(_ members: [String: JSONValue]) -> [String] {
        do throws(DocumentRefusal) {
            _ = try Maintenance(
                compiling: .object(["tenant": "mtn", "reason": "new antennas"].merging(members) { $1 }), id: "m")
            return []
        } catch { return error.problems.map(\.path) }
    }

    @Test func `steps wait, and call contacts, a schedule or a channel`() throws {
        let plan = try Escalation(
            compiling: [
                "tenant": "mtn", "filter": ["severity": "major", "networks": ["62401"]],
                "steps": [
                    ["schedule": "noc"], ["after_minutes": 10, "contacts": ["ann", "bob"]],
                    ["after_minutes": 5, "channel": "boss"],
                ],
            ], id: "e")
        #expect(plan.steps.map(\.wait) == [0, 600_000, 300_000])
        #expect(plan.steps.map(\.target) == [.schedule("noc"), .contacts(["ann", "bob"]), .channel("boss")])
        #expect(plan.filter.severity == .major)
    }

    @Test func `an escalation that is none is refused, by every member that is wrong`() {
        #expect(escalation([]) == ["steps"])
        #expect(escalation([["after_minutes": 10]]) == ["steps[0].contacts"])
        #expect(escalation([["channel": "a", "schedule": "b"]]) == ["steps[0].channel"])
        #expect(escalation([["channel": "a", "after_minutes": 1_441]]) == ["steps[0].after_minutes"])
        #expect(escalation([["contacts": []]]) == ["steps[0].contacts"])
        #expect(escalation([["channel": "a", "x": 1]]) == ["steps[0].x"])
        #expect(escalation([["channel": "a"]], ["filter": ["severity": "loud"]]) == ["filter.severity"])
    }

    @Test func `planned work lasts from a minute to a month, or comes again each week`() throws {
        #expect(maintenance(["from": "2026-01-01T00:00:00Z", "to": "2026-01-01T02:00:00Z"]) == [])
        #expect(maintenance(["from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"]) == ["to"])
        #expect(maintenance(["from": "2026-01-01T00:00:00Z", "to": "2028-01-01T00:00:00Z"]) == ["to"])
        #expect(maintenance([:]) == ["from", "to"])
        let weekly: [String: JSONValue] = ["zone": "Africa/Douala", "days": ["sun"], "from": "23:00", "to": "02:00"]
        #expect(maintenance(["weekly": .object(weekly)]) == [])
        #expect(maintenance(["weekly": .object(weekly.merging(["to": "23:00"]) { $1 })]) == ["weekly.to"])
        #expect(maintenance(["weekly": .object(weekly.merging(["zone": "Mars/Base"]) { $1 })]) == ["weekly.zone"])
        #expect(maintenance(["weekly": .object(weekly), "from": 0]) == ["weekly"])
        let plan = try Maintenance(
            compiling: ["tenant": "mtn", "reason": "r", "weekly": .object(weekly)], id: "m")
        // Sunday 2026-11-29, 23:00 in Douala is 22:00 in UTC.
        let begin: UnixMilliseconds = 1_795_989_600_000
        #expect(plan.window(around: begin - 1) == nil)
        #expect(plan.window(around: begin) == begin..<begin + 3 * 3_600_000)
        #expect(plan.window(around: begin + 3 * 3_600_000) == nil)
        #expect(plan.windows(in: begin..<begin + 14 * 86_400_000).count == 2)
    }
}
