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
        for one in truth.scores(replay.alarms) {
            #expect(one.found == one.faults && one.faults == 1 && one.precision == 1, "\(one)")
        }
        #expect(try #require(truth.scores(replay.alarms).last).raised == [outage.raisedAt - fault.from_ms])
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

    @Test func `an alarm is of the kind that its rule looks for, and an alarm of a storm is told by its parent`() throws
    {
        let truth = try #require(try RuleTruth(besides: Self.sample))
        let fault = try #require(truth.faults.firstIndex { $0.kind == "outage" })
        func alarm(_ finds: String?, owner: Int64 = 624_002, parent: Int64? = nil) -> FoundAlarm {
            let at = truth.faults[fault].from_ms, cell = Quadkey(latitude: 40_483_000, longitude: 97_043_000)
            let alarm = TriedAlarm(
                rule: "r", owner: Scope(scheme: "plmn", number: owner), subject: .cell(cell), episode: 1,
                severity: .major, raisedAt: at, toldAt: at + 7_000, clearedAt: nil, devices: 3,
                isSampled: false, parent: parent, children: 0)
            return FoundAlarm(alarm: alarm, finds: finds)
        }
        func score(_ alarms: [FoundAlarm]) -> [String] {
            truth.scores(alarms).map { "\($0.kind) \($0.found) \($0.right) \($0.alarms) \($0.told)" }
        }
        #expect(score([alarm("outage")]) == ["congestion 0 0 0 []", "outage 1 1 1 [7000]"])
        #expect(score([alarm("outage", owner: 624_001)]) == ["congestion 0 0 0 []", "outage 0 0 1 []"])
        #expect(score([alarm(nil)]) == ["congestion 0 0 0 []", "outage 0 0 0 []"])
        #expect(score([alarm("outage", parent: 4)]) == ["congestion 0 0 0 []", "outage 0 0 0 []"])
        #expect(truth.precision([alarm(nil), alarm("outage", parent: 4)]) == 1)
        #expect(truth.fault(of: alarm(nil)) == fault && truth.precision([]) == nil)
        let kinds = try RuleFile(RuleFile.builtIn, .registered).rules.compactMap(RuleTruth.kind(soughtBy:))
        #expect(kinds.sorted() == Array(repeating: "congestion", count: 4) + ["outage"])
    }

    @Test func `counts are written by subject and minute, end with zeros, and change no alarm`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/counts.txt"
        let rules = try RuleFile(RuleFile.builtIn, .registered).rules
        let file = try RuleCountsFile(path)
        let replay = try RuleReplay(rules, recording: Self.sample, .registered, counts: file)
        #expect(try replay.alarms == RuleReplay(rules, recording: Self.sample, .registered).alarms)
        try file.publish()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.last == "# EOF" && lines.filter { $0.hasPrefix("# TYPE") }.count == 2)
        let alarm = try #require(replay.alarms.first { $0.rule == "built-in.latency" })
        let labels =
            "{rule=\"built-in.latency\",owner=\"\(alarm.owner.text)\",subject=\"\(alarm.subject.text)\"}"
        func value(_ name: String) -> Int? {
            let start = "nkul_rule_\(name)\(labels) ", end = " \(alarm.raisedAt / 1_000)"
            return lines.first { $0.hasPrefix(start) && $0.hasSuffix(end) }
                .flatMap { Int($0.dropFirst(start.count).dropLast(end.count)) }
        }
        let all = try #require(value("devices")), bad = try #require(value("bad_devices"))
        #expect(all >= 8 && Double(bad) / Double(all) >= 0.7)
        #expect(lines.contains { $0.hasPrefix("nkul_rule_devices") && $0.contains("} 0 ") })
    }

    /// Alarms as an engine finds them in rows that arrive at these times.
    private func alarms(
        _ rows: [(arrives: UnixMilliseconds, device: UInt32, row: RecordingRow)], _ rules: [AlarmRule]
    ) throws -> [String] {
        let programmes = Programmes.registered
        var engine = RuleEngine(rules), last: [String: RuleTransition] = [:]
        func take(_ transitions: [RuleTransition]) {
            for one in transitions { last["\(one.rule) \(one.owner.text) \(one.subject.text) \(one.episode)"] = one }
        }
        for (arrives, device, row) in rows.sorted(by: { $0.arrives < $1.arrives }) {
            take(engine.advance(to: arrives))
            let kind = try #require(programmes.kind(row.kind.recordKind.id))
            let programme = try #require(programmes.programme(of: kind.kind.id))
            let read = RuleRowReader(kind, of: programme).row(device: device, eventAt: row.capturedAt) {
                row.values[$0]
            }
            take(engine.add(read) { row.values[$0] })
        }
        take(engine.advance(to: rows.map(\.arrives).max()! + 3_660_000))
        return last.map { name, one in
            "\(name) \(one.severity) \(one.raisedAt) \(one.clearedAt ?? 0) \(one.devices) \(one.parent ?? 0) \(one.children)"
        }.sorted()
    }

    @Test func `the sample day in another order within the lateness has the same alarms`() throws {
        let rules = try RuleFile(RuleFile.builtIn, .registered).rules
        var reader = try RecordingReader(path: Self.sample, .registered), devices: [String: UInt32] = [:]
        var rows: [(arrives: UnixMilliseconds, device: UInt32, row: RecordingRow)] = []
        while let row = try reader.next() {
            let device = devices[row.device] ?? UInt32(devices.count + 1)
            devices[row.device] = device
            rows.append((row.due, device, row))
        }
        let expected = try alarms(rows, rules), least = rules.map(\.lateness).min()!
        #expect(expected.count == 4 && least == 120_000)
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let late = rows.map { arrives, device, row in
                let left = max(0, least - (arrives - row.capturedAt))
                return (arrives + (left > 0 ? random.below(left) : 0), device, row)
            }
            #expect(try alarms(late, rules) == expected, "seed \(seed)")
        }
    }
}
