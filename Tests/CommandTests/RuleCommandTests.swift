import AlarmRules
import Foundation
import Models
import ServiceKit
import TemporaryFiles
import Testing

@testable import Laboratory

@Suite struct RuleCommandTests {
    static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../compose/sample.csv.gz").standardizedFileURL.path

    @Test func `the built-in rules find the outage and the congestion of the sample day and at most four alarms more`()
        throws
    {
        let rules = try RuleFile(RuleFile.builtIn, .registered)
        let replay = try RuleReplay(rules.rules, recording: Self.sample, .registered)
        let truth = try #require(try RuleTruth(besides: Self.sample))
        let outages = replay.alarms.filter { $0.rule == "built-in.no_service" }
        #expect(outages.count == 1)
        let outage = try #require(outages.first), fault = try #require(truth.faults.first { $0.kind == "outage" })
        #expect(outage.owner.name == "62402" && RuleTruth.isOf(outage, fault))
        // The third phone without service tells 2 min 2 s after the outage began, 1 min 36 s after the first.
        #expect(outage.raisedAt - fault.from_ms <= 120_000 && outage.toldAt - fault.from_ms <= 122_999)
        #expect(try #require(outage.clearedAt) > fault.to_ms)
        #expect(replay.alarms.count <= 6)
        for one in truth.recall(replay.alarms) { #expect(one.found == one.faults, "\(one)") }
        #expect(truth.precision(replay.alarms) == 1)
        #expect(replay.alarms.allSatisfy { $0.clearedAt != nil })
    }

    private func write(_ text: String, _ directory: TemporaryDirectory) throws -> String {
        let path = directory.path + "/rule.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func rule(_ examples: String = "[]", window: Int = 900) -> String {
        """
        {"version": 1, "kind": "count", "metric": "event", "bad": ["no_service"], "window_s": \(window), "set": 2, "clear": 0,
         "hold_set_s": 0, "hold_clear_s": 900, "level": 10, "severity": "major", "text": "no service", "examples": \(examples)}
        """
    }

    @Test func `a file that is no rule names the file, the rule and every field`() throws {
        let directory = try TemporaryDirectory()
        let path = try write(rule(window: 1), directory)
        let error = #expect(throws: ServiceError.self) { try RuleFile(path, .registered) }
        #expect(try #require(error).message.hasPrefix("\(path): rule rule: window_s is 1; expected 60…86400"))
    }

    @Test func `examples hold or say what was found instead`() throws {
        let directory = try TemporaryDirectory()
        let place =
            #""event": "no_service", "network_type": "NONE", "mcc": 624, "mnc": 2, "latitude": 4.05, "longitude": 9.7"#
        func example(_ cleared: Int) -> String {
            """
            [{"name": "two", "until_s": 9000, "rows": [{"at_s": 0, "device": 1, \(place)},
              {"at_s": 90, "device": 2, "late_s": 600, \(place)}],
              "expect": [{"raised_s": 60, "cleared_s": \(cleared), "severity": "major"}]}]
            """
        }
        for (cleared, holds) in [(1_860, true), (1_800, false)] {
            let file = try RuleFile(try write(rule(example(cleared)), directory), .registered)
            let value = try #require(file.documents[0].document["examples"]?.array?.first)
            let found = try RuleExample(value, at: "x", .registered).difference(file.rules[0])
            #expect((found == nil) == holds, "\(found ?? "")")
        }
    }

    @Test func `the difference of a rule to itself is nothing, to another what is new and gone`() throws {
        let directory = try TemporaryDirectory()
        let file = try RuleFile(try write(rule(), directory), .registered)
        let replay = try RuleReplay(file.rules, recording: Self.sample, .registered)
        let same = RuleReport(replay, before: replay, truth: nil).json
        #expect(same["new"] == [] && same["gone"] == [])
        let nothing = try RuleReplay([], recording: Self.sample, .registered)
        #expect(RuleReport(replay, before: nothing, truth: nil).json["new"]?.array?.count == replay.alarms.count)
        #expect(!replay.alarms.isEmpty)
    }
}
