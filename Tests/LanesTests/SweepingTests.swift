import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@Suite struct SweepingTests {
    private let database = try! ServiceDatabase(path: ":memory:", migrations: [])
    private let journal: Journal

    init() throws {
        journal = try Journal(
            lane: .alerts, in: database, limits: LaneLimits(maximumBytes: 1 << 30, tombstoneRetention: 1_000))
    }

    private func append(_ columns: Columns, kind: RecordKind = .contribution, now: Int64 = 0) throws {
        var encoder = ColumnEncoder()
        _ = try database.write {
            try journal.append($0, kind: kind, columns: columns, encoder: &encoder, now: now)
        }
    }

    private func maintain(now: Int64) throws {
        for _ in 0..<10 { try database.write { _ = try journal.maintain($0, now: now) } }
    }

    private func bytes() throws -> [String] {
        var decoder = ColumnDecoder()
        return try Journal.read(lane: .alerts, from: database.reader(), after: 0).blocks.flatMap { block in
            let columns = try block.columns(with: &decoder)
            return (0..<columns.rowCount).map { row in
                let key = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
                let text = columns[ColumnID.document]?.value(row).map { String(decoding: $0, as: UTF8.self) }
                return "\(key)=\(text ?? "gone")"
            }
        }
    }

    @Test func `what is superseded goes when somebody asks, however little it is`() throws {
        try append(SampleRows.states([("a", "1"), ("b", "1")]))
        try append(SampleRows.states([("a", nil)]))
        try maintain(now: 10)
        #expect(try bytes() == ["a=1", "b=1", "a=gone"])
        journal.sweep()
        #expect(journal.isSweeping)
        try maintain(now: 10)
        #expect(try !journal.isSweeping && bytes() == ["b=1", "a=gone"])
    }

    @Test func `a sweep asked for while another runs comes to what was there when it was asked`() throws {
        try append(SampleRows.states([("a", "1"), ("b", "1")]))
        journal.sweep()
        try database.write { _ = try journal.maintain($0, now: 10) }
        try append(SampleRows.states([("b", "2")]))
        journal.sweep()
        try maintain(now: 10)
        #expect(try !journal.isSweeping && bytes() == ["a=1", "b=2"])
    }

    @Test func `records of another kind, or without a key, are not superseded by those of the same name`() throws {
        try append(SampleRows.states([("a", "contribution"), ("b", "1")]))
        try append(SampleRows.states([("a", "alarm"), ("b", nil)]), kind: .alarm)
        try append(
            Columns(
                rowCount: 3,
                columns: [
                    Column(id: ColumnID.key, strings: [nil, Array("b".utf8), nil]),
                    Column(id: ColumnID.document, strings: ["x", "2", "y"].map { Array($0.utf8) }),
                ]))
        journal.sweep()
        try maintain(now: 10)
        #expect(try bytes() == ["a=contribution", "a=alarm", "b=gone", "=x", "b=2", "=y"])
    }

    @Test func `an empty lane and one of events have nothing to sweep`() throws {
        journal.sweep()
        #expect(!journal.isSweeping)
        let events = try Journal(lane: .batch, in: database)
        var encoder = ColumnEncoder()
        _ = try database.write { db in
            try events.append(db, kind: .report, columns: SampleRows.reports(3), encoder: &encoder, now: 7)
        }
        events.sweep()
        #expect(try !events.isSweeping && database.read { try events.oldestCommit($0) } == 7)
        #expect(try database.read { try journal.oldestCommit($0) } == nil)
    }

    @Test func `a removal that says whose it was is forgotten in its time, and found by an erasure before`() throws {
        func removal(of key: String, device: Int64) -> Columns {
            Columns(
                rowCount: 1,
                columns: [
                    Column(id: ColumnID.key, strings: [Array(key.utf8)]),
                    Column(id: ColumnID.device, values: [device]),
                ])
        }
        try append(removal(of: "a/1", device: 1))
        try append(removal(of: "b/2", device: 2))
        try append(SampleRows.states([("c", "1")]))
        var pass = JournalErasure()
        try database.write { db in
            while !pass.isDone {
                try journal.erase(db, subjects: [1], &pass) { columns, _ in
                    (0..<columns.rowCount).filter { columns[ColumnID.device]!.integers[$0] != 1 }.map(Int32.init)
                }
            }
        }
        #expect(try bytes() == ["b/2=gone", "c=1"])
        journal.sweep()
        try maintain(now: 2_000)
        #expect(try bytes() == ["c=1"] && journal.tombstonesGone > 0)
    }
}
