import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@testable import AlertRouter

/// When alarms are over, and what comes after them.
@Suite
struct AlarmEpisodeTests {
    private let start: UnixMilliseconds = 1_750_000_000_000
    private let hour: Int64 = 3_600_000

    private func text(_ message: AlertMessage) throws -> String {
        String(decoding: try Inflater.inflate(message.body, format: .zlib, limit: 10_000), as: UTF8.self)
    }

    private func alarms(_ bench: RouterBench) throws -> [String] {
        try bench.database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, episode, problem, severity, raised_at, changed_at, cleared_at, records, devices
                    FROM alarms ORDER BY number
                    """
            ).map { "\($0)" }
        }
    }

    @Test func `an alarm is over an hour after its last record, once its lane is complete to then, under two topics`()
        throws
    {
        let bench = try RouterBench(), end = start + 1_000_000 + hour
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        try bench.engine.step([Urgent.block(2, [.drop(device: 2, at: start + 1_000_000)])], now: start + 1_000_000)
        let before = bench.messages.count
        // Whatever the router's own clock says.
        try bench.engine.step([], now: start + 100 * hour)
        try bench.complete(to: end + Alarm.settling - 1, now: start + 100 * hour)
        #expect(bench.messages.count == before)
        try bench.complete(to: end + Alarm.settling, now: end + Alarm.settling)
        let told = Array(bench.messages.dropFirst(before))
        #expect(told.map(\.topic) == [Urgent.key.topic(.major), Urgent.key.topic(.cleared)])
        #expect(try bench.stored(.snapshot(prefix: [])) == [told[1]])
        let document = try text(told[1])
        #expect(document.contains("\"state\":\"cleared\"") && document.contains("\"perceivedSeverity\":\"cleared\""))
        let time = Timestamp.text(end)
        #expect(document.contains("\"alarmChangedTime\":\"\(time)\",\"alarmClearedTime\":\"\(time)\""))
        try bench.complete(to: end + 100 * hour, now: end + 100 * hour)
        #expect(bench.messages.count == before + 2)
    }

    @Test func `nothing is over while the lane is behind or its writer silent`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        bench.effects.lanesComplete(to: [:])
        try bench.engine.step([], now: start + 1_000 * hour)
        bench.effects.lanesComplete(to: [.realtime: start])
        try bench.engine.step([], now: start + 1_000 * hour)
        #expect(bench.messages.count == 1)
    }

    @Test func `what was not told yet is told with the end, and nothing afterwards`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        try bench.engine.step([Urgent.block(2, [.drop(device: 2)])], now: start + 1)
        try bench.complete(to: start + 2 * hour, now: start + 2)
        #expect(try text(bench.messages.last!).contains("\"devices\":2,\"records\":2"))
        let count = bench.messages.count
        try bench.engine.step([], now: start + 10_000)
        #expect(bench.messages.count == count)
    }

    @Test func `the next record raises another alarm, with an identifier and counts of its own`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.emergency(), .drop(device: 2)])], now: start)
        try bench.complete(to: start + 2 * hour, now: start + 2 * hour)
        let next = start + 3 * hour
        try bench.engine.step([Urgent.block(2, [.drop(at: next)])], now: next)
        let first = "62401-\(Urgent.cell.text)-\(start)", second = "62401-\(Urgent.cell.text)-\(next)-2"
        let ids = try bench.database.read { try String.fetchAll($0, sql: "SELECT id FROM alarms ORDER BY number") }
        #expect(ids == [first, second])
        let document = try text(bench.messages.last!)
        #expect(document.contains("\"id\":\"\(second)\"") && document.contains("\"devices\":1,\"records\":1"))
        #expect(document.contains("\"state\":\"raised\"") && document.contains("\"perceivedSeverity\":\"major\""))
        // An alarm of a cell and one of a site have both a second one.
        #expect(
            AlarmKey(owner: Scope(scheme: "site", number: 1), subject: .number(scheme: "gauge", 7), episode: 2)
                .id(raisedAt: 1)
                != AlarmKey(owner: Scope(scheme: "site", number: 1), subject: .number(scheme: "gauge", 7))
                .id(raisedAt: 1))
        // Whoever was away has both.
        #expect(
            try bench.stored(.snapshot(prefix: [])).map(\.topic) == [
                Urgent.key.topic(.cleared), Urgent.key.topic(.major),
            ])
    }

    @Test func `a restart forgets no end`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        try bench.restart()
        try bench.complete(to: start + 2 * hour, now: start + 2 * hour)
        #expect(try bench.number("SELECT cleared_at FROM alarms") == start + hour)
    }

    @Test func `evidence of before the end counts in the alarm that is over, and is told to the lane alone`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [Urgent(event: .noService)])], now: start)
        try bench.complete(to: start + 2 * hour, now: start + 2 * hour)
        let count = bench.messages.count
        var late = Urgent(device: 2, receivedAt: start + hour + 1_000_000, event: .noService)
        late.age = 1_000_001
        let outcome = try bench.engine.step([Urgent.block(2, [late])], now: start + 2 * hour + 5_000)
        #expect(bench.messages.count == count)
        #expect(try bench.number("SELECT count(*) FROM alarms") == 1)
        #expect(try bench.number("SELECT records FROM alarms WHERE devices = 2") == 2)
        #expect(try bench.number("SELECT cleared_at FROM alarms") == start + hour)
        #expect(try bench.number("SELECT changed_at FROM alarms") == late.receivedAt)
        var decoder = ColumnDecoder()
        let kinds = try outcome.appended.flatMap(\.blocks).map { block in
            _ = try block.columns(with: &decoder)
            return block.header.kind
        }
        #expect(kinds.sorted() == [RecordKind.alarm.id, RecordKind.contribution.id].sorted())
        // It is worse than anything that was told.
        var worse = Urgent(device: 3, receivedAt: start + hour + 1_000_000, event: .emergency)
        worse.age = 1_000_001
        try bench.engine.step([Urgent.block(3, [worse])], now: start + 2 * hour + 6_000)
        #expect(bench.messages.last?.topic == Urgent.key.topic(.critical))
        #expect(try bench.number("SELECT max(episode) FROM alarms") == 2)
    }

    @Test func `a clock that was set back silences nothing`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        try bench.complete(to: start + 2 * hour, now: start + 2 * hour)
        try bench.engine.step([Urgent.block(2, [.drop(device: 2, at: start + 1_000)])], now: start + 2 * hour)
        #expect(bench.messages.last?.topic == Urgent.key.topic(.major))
        #expect(try bench.number("SELECT count(*) FROM alarms WHERE cleared_at IS NULL") == 1)
    }

    @Test func `tenants hear the end of what they know, and newcomers nothing of what is over`() throws {
        let bench = try RouterBench(), mtn = try Added("mtn", 1, ["62401"]), art = try Added("late", 2, ["62401"])
        try bench.engine.step([Added.block(1, [mtn])], now: start)
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        try bench.complete(to: start + 2 * hour, now: start + 2 * hour)
        #expect(
            bench.messages(of: mtn.tenant).map(\.topic) == [
                Urgent.key.topic(.major), Urgent.key.topic(.major), Urgent.key.topic(.cleared),
            ])
        try bench.engine.step([Added.block(2, [art])], now: start + 2 * hour)
        try bench.keepHouse(from: start + 2 * hour)
        #expect(bench.messages(of: art.tenant).isEmpty)
        try bench.engine.step([Urgent.block(2, [.drop(at: start + 3 * hour)])], now: start + 3 * hour)
        #expect(bench.messages(of: art.tenant).map(\.topic) == [Urgent.key.topic(.major)])
    }

    /// Records of a few hours with gaps about as long as an alarm lasts, some told late.
    private func blocks(_ random: inout SplitMix64) throws -> [LaneBlock] {
        var time = start
        return try (1...40 as ClosedRange<UInt64>).map { number in
            let gaps: [Int64] = [1_000, 600_000, hour - 1, hour, hour + 1, hour + 59_000, hour + 61_000, 2 * hour]
            let rows = try (0...random.below(3)).map { _ in
                if random.below(3) > 0 { time += try #require(gaps.randomElement(using: &random)) }
                var row = Urgent(device: Int64(random.below(6)), receivedAt: time)
                row.event = random.below(3) == 0 ? .emergency : .noService
                row.age = [0, 60_000, 1_200_000, hour - 1, hour].randomElement(using: &random)!
                return row
            }
            return try Urgent.block(number, rows)
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `the same blocks give the same alarms, whatever is read together, cleared meanwhile or killed`(seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        let blocks = try blocks(&random), end = start + 1_000 * hour
        let whole = try RouterBench()
        try whole.engine.step(blocks, now: end)
        try whole.complete(to: end, now: end)
        let expected = try alarms(whole)
        #expect(expected.count > 3)
        for kills in [false, true] {
            let bench = try RouterBench()
            var rest = blocks[...]
            while let next = rest.first {
                let time = next.block.header.committedAt
                if random.below(2) == 0 { try bench.complete(to: time, now: time) }
                if kills, random.below(3) == 0 { try bench.restart() }
                let some = rest.prefix(1 + Int(random.below(3)))
                try bench.engine.step(Array(some), now: time)
                rest = rest.dropFirst(some.count)
            }
            try bench.complete(to: end, now: end)
            #expect(try alarms(bench) == expected, "seed \(seed)")
        }
    }
}
