import Foundation
import Lanes
import Models
import QoE
import Testing
import Wire

@testable import AlertRouter

@Suite
struct AlertRouterEffectsTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    @Test
    func `urgent rows raise one alarm per operator and cell, with numbers without a gap`() throws {
        let bench = try RouterBench()
        var other = Urgent.drop(device: 2)
        other.mnc = 2
        let rows = [Urgent.drop(), other, .drop(device: 3), Urgent(rating: 5)]
        try bench.engine.step([Urgent.block(1, rows)], now: start)
        #expect(bench.messages.map(\.seq) == [1, 2])
        #expect(
            bench.messages.map(\.topic) == [
                "alerts/62401/major/\(Urgent.cell.text)", "alerts/62402/major/\(Urgent.cell.text)",
            ])
        #expect(try bench.number("SELECT devices FROM alarms WHERE owner = 624001") == 2)
    }

    @Test
    func `a block that comes again changes nothing`() throws {
        let bench = try RouterBench()
        let block = try Urgent.block(1, [.drop()])
        try bench.engine.step([block], now: start)
        try bench.engine.step([block], now: start + 10_000)
        #expect(bench.messages.count == 1)
        #expect(try bench.number("SELECT records FROM alarms") == 1)
    }

    @Test
    func `a device counts once in an alarm, however often it reports`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(), .drop()])], now: start)
        try bench.engine.step([Urgent.block(2, [.drop(), .drop(device: 2)])], now: start + 2_000)
        #expect(try bench.number("SELECT devices FROM alarms") == 2)
        #expect(try bench.number("SELECT records FROM alarms") == 4)
    }

    @Test
    func `a change of severity is two messages with two numbers, the old topic first`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.bad()])], now: start)
        try bench.engine.step([Urgent.block(2, [.emergency()])], now: start + 1)
        #expect(
            bench.messages.map(\.topic) == [
                Urgent.key.topic(.minor), Urgent.key.topic(.minor), Urgent.key.topic(.critical),
            ])
        #expect(bench.messages.map(\.seq) == [1, 2, 3])
        #expect(bench.messages[1].body == bench.messages[2].body)
    }

    @Test
    func `updates that only count wait for a tick, which tells the last count once`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        for number in 2...5 as ClosedRange<UInt64> {
            try bench.engine.step([Urgent.block(number, [.drop(device: Int64(number))])], now: start + 100)
        }
        #expect(bench.messages.count == 1)
        #expect(bench.engine.effects.nextTick == start + 1_000)
        try bench.engine.step([], now: start + 999)
        #expect(bench.messages.count == 1)
        try bench.engine.step([], now: start + 1_000)
        #expect(bench.messages.count == 2)
        let body = try Inflater.inflate(bench.messages[1].body, format: .zlib, limit: 10_000)
        #expect(String(decoding: body, as: UTF8.self).contains("\"devices\":5,\"records\":5"))
        try bench.engine.step([], now: start + 3_000)
        #expect(bench.messages.count == 2)
    }

    @Test
    func `what is published is what is stored, and nothing is published that is not committed`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        #expect(try bench.stored() == bench.messages)
        var broken = try Urgent.block(2, [.emergency()])
        broken.block.payload[broken.block.payload.count - 1] ^= 0xFF
        let good = try Urgent.block(3, [.emergency(device: 4)])
        #expect(throws: (any Error).self) { try bench.engine.step([broken, good], now: start + 1) }
        #expect(bench.messages.count == 1)
        #expect(try bench.stored() == bench.messages)
    }

    @Test
    func `a router that died between commit and publishing has the messages for REPLAY`() throws {
        let bench = try RouterBench()
        let silent = try AlertRouterEffects(programmes: .raisingAll, database: bench.database) { _ in }
        let engine = try EffectEngine(
            database: bench.database, reads: bench.withoutSubjects, journals: bench.engine.journals,
            effects: silent)
        try engine.step([Urgent.block(1, [.drop()])], now: start)
        #expect(bench.messages.isEmpty)
        #expect(try bench.stored().map(\.seq) == [1])
        #expect(try bench.lastSeq() == 1)
    }

    @Test
    func `a router that starts again goes on with the next number and tells what it still owed`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop()])], now: start)
        try bench.engine.step([Urgent.block(2, [.drop(device: 2)])], now: start + 1)
        let second = try AlertRouterEffects(programmes: .raisingAll, database: bench.database) { _ in }
        #expect(second.nextTick == 0)
        let engine = try EffectEngine(
            database: bench.database, reads: bench.withoutSubjects, journals: bench.engine.journals,
            effects: second)
        try engine.step([], now: start + 1_000)
        #expect(try bench.stored().map(\.seq) == [1, 2])
    }

    @Test
    func `every telling is a row of the alarms lane, keyed by the alarm`() throws {
        let bench = try RouterBench()
        let first = try bench.engine.step([Urgent.block(1, [.bad()])], now: start)
        let second = try bench.engine.step([Urgent.block(2, [.emergency()])], now: start + 1)
        var decoder = ColumnDecoder()
        let documents = try (first.appended + second.appended).flatMap(\.blocks).filter {
            $0.header.kind == RecordKind.alarm.id
        }.map { block in
            let columns = try block.columns(with: &decoder)
            #expect(columns.rowCount == 1)
            #expect(
                columns[ColumnID.key]?.value(0).map { String(decoding: $0, as: UTF8.self) }
                    == "62401-\(Urgent.cell.text)-\(start)")
            return try #require(columns[ColumnID.document]?.value(0).map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(documents.count == 2)
        #expect(documents[1].contains("\"perceivedSeverity\":\"critical\""))
    }

    @Test
    func `a snapshot has the last message of each alarm, a replay those after a number, both of the prefix only`()
        throws
    {
        let bench = try RouterBench()
        for number in 1...1_200 as ClosedRange<UInt64> {
            var row = Urgent.drop(device: Int64(number))
            row.mnc = Int64(number % 600)
            try bench.engine.step([Urgent.block(number, [row])], now: start + Int64(number) * 10)
        }
        #expect(try bench.stored() == bench.messages)
        #expect(
            try bench.stored(.replay(after: 700, prefix: [])).map(\.seq) == Array(701...Int64(bench.messages.count)))
        let one = Array("alerts/62407/".utf8)
        #expect(try bench.stored(.replay(after: 0, prefix: one)).allSatisfy { $0.topic.hasPrefix("alerts/62407/") })
        let snapshot = try bench.stored(.snapshot(prefix: []))
        #expect(snapshot.count == 600)
        #expect(Set(snapshot.map(\.topic)).count == 600)
        #expect(
            try bench.stored(.snapshot(prefix: one)) == [bench.messages.last { $0.topic.hasPrefix("alerts/62407/") }])
        #expect(try bench.stored(.replay(after: 99_999, prefix: [])).isEmpty)
    }

    @Test
    func `old messages go, except the last one of each alarm`() throws {
        let bench = try RouterBench(keep: 60_000)
        for number in 1...10 as ClosedRange<UInt64> {
            try bench.engine.step(
                [Urgent.block(number, [.drop(device: Int64(number))])], now: start + Int64(number) * 5_000)
        }
        var lonely = Urgent.drop()
        lonely.mnc = 4
        try bench.engine.step([Urgent.block(11, [lonely])], now: start + 51_000)
        try bench.engine.step([], now: start + 10_000_000)
        #expect(try bench.stored().map(\.seq) == [10, 11])
        #expect(try bench.stored(.snapshot(prefix: [])).map(\.seq) == [10, 11])
        #expect(try bench.lastSeq() == 11)
    }

    @Test
    func `trimming goes on in parts until all old messages are gone`() throws {
        let bench = try RouterBench(keep: 60_000)
        let count = UInt64(AlertMessageStore.trimmedAtOnce * 2 + 10)
        for number in 1...count {
            try bench.engine.step(
                [Urgent.block(number, [.drop(device: Int64(number))])], now: start + Int64(number) * 1_000)
        }
        var now = start + 100_000_000
        for _ in 0..<3 {
            try bench.engine.step([], now: now)
            now = try #require(bench.engine.effects.nextTick)
        }
        #expect(try bench.stored().map(\.seq) == [Int64(count)])
        #expect(now > start + 100_000_000 + MessageHousekeeping.interval)
    }

    @Test
    func `more messages than may be kept go, oldest first`() throws {
        let bench = try RouterBench(mostMessages: 3)
        for number in 1...10 as ClosedRange<UInt64> {
            try bench.engine.step(
                [Urgent.block(number, [.drop(device: Int64(number))])], now: start + Int64(number) * 5_000)
        }
        try bench.engine.step([], now: start + 1_000_000)
        #expect(try bench.stored().map(\.seq) == [8, 9, 10])
    }
}
