import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@Suite struct ErasingTests {
    private let directory: TemporaryDirectory
    private let database: ServiceDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try ServiceDatabase(path: directory.path("state.sqlite"), migrations: [])
    }

    /// Rows with a random id and one of nine devices each, some hundred a block.
    private func fill(_ journal: Journal, blocks: Int, seed: UInt64) throws -> [(device: Int64, id: [UInt8])] {
        var random = SplitMix64(seed: seed)
        var encoder = ColumnEncoder()
        var all: [(device: Int64, id: [UInt8])] = []
        for _ in 0..<blocks {
            let rows = (0..<(1 + random.below(300))).map { _ in
                (device: Int64(1 + random.below(9)), id: (0..<16).map { _ in UInt8(random.below(256)) })
            }
            let columns = Columns(
                rowCount: rows.count,
                columns: [
                    Column(id: ColumnID.id, presence: .full(rows.count), fixed16: rows.flatMap(\.id)),
                    Column(id: ColumnID.device, values: rows.map(\.device)),
                ])
            _ = try database.write {
                try journal.append($0, kind: .report, columns: columns, encoder: &encoder, now: 0)
            }
            all += rows
        }
        return all
    }

    private func erase(_ subjects: Set<UInt64>, from journal: Journal) throws -> JournalErasure {
        var pass = JournalErasure()
        while !pass.isDone {
            try database.write { db in
                try journal.erase(db, subjects: subjects, &pass) { columns, _ in
                    let device = columns[ColumnID.device]!.integers
                    return device.indices.filter { !subjects.contains(UInt64(device[$0])) }.map(Int32.init)
                }
            }
        }
        return pass
    }

    private func ids(_ lane: LaneName, _ sealer: BlockSealer?) throws -> [[UInt8]] {
        var decoder = ColumnDecoder()
        let limit = JournalPage.Limit(blocks: .max, bytes: .max)
        let page = try Journal.read(
            lane: lane, from: database.reader(), after: 0, limit: limit, sealer: sealer)
        return try page.blocks.flatMap { block in
            let columns = try block.columns(with: &decoder)
            #expect(block.header.rowCount == columns.rowCount && columns.rowCount > 0)
            return (0..<columns.rowCount).map { Array(columns[ColumnID.id]!.value($0)!) }
        }
    }

    private func fileBytes() throws -> Data {
        try ["state.sqlite", "state.sqlite-wal"].reduce(into: Data()) {
            $0 += try Data(contentsOf: URL(filePath: directory.path($1)))
        }
    }

    @Test(arguments: UInt64(0)..<6) func `rows of subjects go from blocks and files and nothing else`(seed: UInt64)
        throws
    {
        let journal = try Journal(lane: .batch, in: database)
        let rows = try fill(journal, blocks: 40, seed: seed)
        let gone = rows.filter { $0.device == 3 || $0.device == 7 }
        let before = try fileBytes()
        // An id that lies across the edge of a page is in no one place.
        #expect(gone.filter { before.range(of: Data($0.id)) != nil }.count > gone.count * 9 / 10)
        let pass = try erase([3, 7], from: journal)
        #expect(pass.rows == gone.count)
        #expect(try ids(.batch, nil) == rows.filter { $0.device != 3 && $0.device != 7 }.map(\.id))
        #expect(journal.head == 40)
        #expect(try database.truncateLog())
        let after = try fileBytes()
        #expect(gone.allSatisfy { after.range(of: Data($0.id)) == nil })
        let kept = try #require(try ids(.batch, nil).first)
        #expect(after.range(of: Data(kept)) != nil)
    }

    @Test func `the log keeps what was erased until it is truncated`() throws {
        let journal = try Journal(lane: .batch, in: database)
        let gone = try fill(journal, blocks: 3, seed: 1).filter { $0.device == 2 }
        _ = try erase([2], from: journal)
        let before = try fileBytes()
        #expect(gone.contains { before.range(of: Data($0.id)) != nil })
        #expect(try database.truncateLog())
        let after = try fileBytes()
        #expect(!gone.contains { after.range(of: Data($0.id)) != nil })
    }

    @Test func `a reader of an older moment keeps the log from being truncated`() throws {
        let journal = try Journal(lane: .batch, in: database)
        _ = try fill(journal, blocks: 3, seed: 1)
        let reader = try database.reader()
        try reader.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM lane_batch_blocks")
            _ = try erase([2], from: journal)
            #expect(try !database.truncateLog())
        }
        #expect(try database.truncateLog())
    }

    @Test func `sealed blocks are sealed again and bytes stay counted`() throws {
        let sealer = BlockSealer(key: [UInt8](repeating: 5, count: 32))
        let journal = try Journal(lane: .batch, in: database, sealer: sealer)
        let rows = try fill(journal, blocks: 12, seed: 3)
        _ = try erase([1], from: journal)
        #expect(try ids(.batch, sealer) == rows.filter { $0.device != 1 }.map(\.id))
        let bytes = try database.read { try Int.fetchOne($0, sql: "SELECT sum(size) FROM lane_batch_blocks") }
        #expect(journal.bytes == bytes)
        #expect(
            try database.read {
                try Int.fetchOne($0, sql: "SELECT sum(length(header) + length(payload)) FROM lane_batch_blocks")
            } == bytes)
    }

    @Test func `blocks that lose all rows leave a gap and the head stays`() throws {
        let journal = try Journal(lane: .batch, in: database)
        var encoder = ColumnEncoder()
        for device in [1, 2, 2] as [Int64] {
            let columns = Columns(rowCount: 1, columns: [Column(id: ColumnID.device, values: [device])])
            _ = try database.write {
                try journal.append($0, kind: .report, columns: columns, encoder: &encoder, now: 0)
            }
        }
        let pass = try erase([2], from: journal)
        #expect(pass.blocks == 2 && journal.head == 3)
        let page = try Journal.read(lane: .batch, from: database.reader(), after: 0)
        #expect(page.blocks.map(\.header.number) == [1] && page.head == 3 && page.through == 3)
        #expect(journal.takeRewritten() == 3 && journal.takeRewritten() == nil)
    }

    @Test func `state lanes forget the keys too`() throws {
        let journal = try Journal(lane: .rewards, in: database)
        var encoder = ColumnEncoder()
        let columns = Columns(
            rowCount: 2,
            columns: [
                Column(id: ColumnID.key, strings: [Array("17".utf8), Array("18".utf8)]),
                Column(id: ColumnID.device, values: [17, 18]),
            ])
        _ = try database.write {
            try journal.append($0, kind: .balance, columns: columns, encoder: &encoder, now: 0)
        }
        try database.write {
            try $0.execute(
                sql: "INSERT INTO lane_rewards_keys (key, number) VALUES (?, 1), (?, 1)",
                arguments: [Data([13]) + Data("17".utf8), Data([13]) + Data("18".utf8)])
        }
        _ = try erase([17], from: journal)
        let keys = try database.read { try Data.fetchAll($0, sql: "SELECT key FROM lane_rewards_keys") }
        #expect(keys == [Data([13]) + Data("18".utf8)])
    }
}
