import AlarmRules
import Models
import QoE
import Testing

@Suite struct AlarmRuleTests {
    @Test func `a plain document of each kind is a rule`() throws {
        #expect(try RuleText.rule(RuleText.count()).kind == .count)
        #expect(try RuleText.rule(RuleText.ratio()).window == 15)
        let urgent = try RuleText.rule(RuleText.count(["kind": "urgent", "set": nil, "clear": nil]))
        #expect(urgent.set == 1 && urgent.clear == 0)
        let silence = RuleText.ratio([
            "kind": "silence", "metric": nil, "bad": nil, "set": 0.1, "clear": 0.5, "zone": "Africa/Douala",
        ])
        #expect(try RuleText.rule(silence).leastBaseline == 2)
        let collapse = RuleText.ratio(["kind": "collapse", "metric": "rating", "bad": nil, "set": 1, "clear": 0.5])
        #expect(try RuleText.rule(collapse).metric?.column == ColumnID.rating)
    }

    @Test func `no service and emergencies may come an hour late, everything else two minutes`() throws {
        #expect(try RuleText.rule(RuleText.count(["lateness_s": nil])).lateness == 3_600_000)
        #expect(try RuleText.rule(RuleText.count(["lateness_s": nil, "bad": ["emergency"]])).lateness == 3_600_000)
        #expect(try RuleText.rule(RuleText.count(["lateness_s": nil, "bad": ["call_drop"]])).lateness == 120_000)
        #expect(try RuleText.rule(RuleText.ratio(["lateness_s": nil])).lateness == 120_000)
    }

    /// What is changed in a plain document of a count, and what the refusal names and allows.
    static var refused: [(changes: [String: Any?], path: String, allowed: String)] {
        [
            (["sett": 3], "sett", "bad"), (["set": 2.5], "set", "1…256"), (["set": 0], "set", "1…256"),
            (["clear": 3], "clear", "less than set, which is 3"), (["clear": 5], "clear", "less than set"),
            (["clear": nil], "clear", "0…255"), (["window_s": 0], "window_s", "60…86400"),
            (["window_s": 31_536_000], "window_s", "60…86400"), (["window_s": 90], "window_s", "a multiple of 60"),
            (["hold_clear_s": nil], "hold_clear_s", "0…86400"), (["hold_set_s": -60], "hold_set_s", "0…86400"),
            (["lateness_s": 86_401], "lateness_s", "0…86400"), (["version": 2], "version", "1…1"),
            (["kind": "spike"], "kind", "urgent, count, ratio"), (["metric": "fun"], "metric", "latency_ms"),
            (["bad": ["sad"]], "bad[0]", "no_service"), (["bad": [String]()], "bad", "an array"),
            (["metric": "latency_ms"], "bad", "an object"),
            (["metric": "latency_ms", "bad": ["above": 60_001]], "bad.above", "0…60000 ms"),
            (["metric": "latency_ms", "bad": ["above": 1, "below": 2]], "bad", "{\"below\": n}"),
            (["level": 17], "level", "0…16"), (["level": nil], "level", "0…16"),
            (["zone": "Africa/Atlantis"], "zone", "IANA zone"), (["zone": "GMT+1"], "zone", "IANA zone"),
            (["severity": "cleared"], "severity", "indeterminate"),
            (
                ["severity": [["devices": 3, "severity": "major"], ["devices": 3, "severity": "critical"]]],
                "severity[1].devices", "4…256"
            ),
            (["text": ""], "text", "1…200"), (["min_devices": 3], "min_devices", "bad"),
            (["scope": ["plmn": "62401"]], "scope.plmn", "owners"),
            (["scope": ["owners": ["62401"]]], "scope.owners[0]", "plmn:62401"),
            (["scope": ["technologies": ["6G"]]], "scope.technologies[0]", "5G"),
            (["scope": ["bbox": [10, 4, 9, 5]]], "scope.bbox", "west before east"),
            (["scope": ["quadkeys": ["12340"]]], "scope.quadkeys[0]", "0…3"),
            (["scope": ["hours": ["from": "06:00", "to": "22:00"]]], "zone", "IANA zone"),
            (["zone": "UTC", "scope": ["hours": ["from": "6", "to": "22:00"]]], "scope.hours.from", "00:00…24:00"),
            (["zone": "UTC", "scope": ["hours": ["from": "06:00", "to": "06:00"]]], "scope.hours.to", "another time"),
        ]
    }

    @Test func `what is wrong is refused by the name of the field, with what may stand there`() {
        for (changes, path, allowed) in Self.refused {
            let problems = RuleText.problems(RuleText.count(changes))
            #expect(problems.map(\.path) == [path], "\(changes)")
            #expect(problems.first?.allowed.contains(allowed) ?? false, "\(changes): \(problems)")
        }
    }

    @Test func `everything that is wrong is named at once`() {
        let problems = RuleText.problems(RuleText.count(["set": 0, "window_s": 1, "extra": 1, "text": nil]))
        #expect(Set(problems.map(\.path)) == ["set", "window_s", "extra", "text"])
        #expect(RuleText.problems("[]").map(\.path) == [""])
        #expect(RuleText.problems("{").map(\.path) == [""])
    }

    @Test func `a share clears below what sets it, silence above`() {
        #expect(RuleText.problems(RuleText.ratio(["clear": 0.5])).map(\.path) == ["clear"])
        #expect(RuleText.problems(RuleText.ratio(["set": 1.5])).map(\.path) == ["set"])
        let silence: [String: Any?] = ["kind": "silence", "metric": nil, "bad": nil, "zone": "Africa/Douala"]
        let wrong = silence.merging(["set": 0.5, "clear": 0.1]) { $1 }
        #expect(RuleText.problems(RuleText.ratio(wrong)).map(\.allowed) == ["more than set, which is 0.5"])
    }

    @Test func `a tenant's rule looks at what the tenant owns and at nothing else`() throws {
        let owned: Set = [Scope(PLMN(text: "62402")!)]
        let mine = try AlarmRule(
            compiling: Array(RuleText.count().utf8), id: "r", programmes: .qoe, owned: owned)
        #expect(mine.scope.owners == [624_002])
        let foreign = RuleText.count(["scope": ["owners": ["plmn:62401"]]])
        #expect(RuleText.problems(foreign, owned: owned).map(\.path) == ["scope.owners[0]"])
    }

    @Test func `the fingerprint is of what decides, not of texts`() throws {
        let one = try RuleText.rule(RuleText.count())
        #expect(try RuleText.rule(RuleText.count(["text": "other"])).fingerprint == one.fingerprint)
        #expect(try RuleText.rule(RuleText.count(), id: "x").fingerprint == one.fingerprint)
        for changes: [String: Any?] in [["set": 4], ["window_s": 960], ["level": 11], ["severity": "minor"]] {
            #expect(try RuleText.rule(RuleText.count(changes)).fingerprint != one.fingerprint, "\(changes)")
        }
    }
}
