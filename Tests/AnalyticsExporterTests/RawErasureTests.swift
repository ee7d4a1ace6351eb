import ExporterSupport
import Foundation
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import AnalyticsExporter
@testable import ExporterRows

@Suite struct RawErasureTests {
    private static let midnight: Int64 = 1_772_323_200_000  // 2026-03-01T00:00:00Z

    private func row(_ device: Int64, _ place: Int64, day: Int64 = 0) -> TestRow {
        let received = Self.midnight + day * ReceivedDay.milliseconds + place * 1_000
        return TestRow(
            device: device, received: received, captured: received - 500, seq: place + 1,
            id: RecordIdentifier(high: 0x0190_a5f2_7c3e_7d1a, low: UInt64(device) << 32 | UInt64(place)),
            values: [ColumnID.mcc: 624, ColumnID.mnc: 1, ColumnID.download: place])
    }

    /// Blocks of 10 rows over some days, devices by turns.
    private func filled(_ directory: TemporaryDirectory, blocks: Int64 = 30, devices: Int64 = 5) throws -> TestExporter
    {
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        for block in 0..<blocks {
            try exporter.take([
                try lane.block((0..<10).map { row((block * 7 + $0) % devices + 1, block * 10 + $0, day: block % 3) })
            ])
        }
        return exporter
    }

    private func places(_ rows: [[String: Any]]) -> [Int64] { rows.map { $0["download_kbps"] as! Int64 } }

    @Test func `the rows of a subject go and the others keep their cursors`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let before = try await exporter.rows()
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        let after = try await exporter.rows()
        let mine = Set((0..<300).filter { ($0 / 10 * 7 + $0 % 10) % 5 == 1 }.map(Int64.init))
        #expect(mine.count == 60)
        #expect(places(after) == places(before).filter { !mine.contains($0) })
        let cursors = Dictionary(uniqueKeysWithValues: before.map { ($0["id"] as! String, $0["cursor"] as! String) })
        #expect(after.allSatisfy { cursors[$0["id"] as! String] == $0["cursor"] as? String })
        #expect(exporter.effects.figures.rawRows == 240 && exporter.effects.figures.erasedRows == 60)
        let receipt = try #require(try exporter.worker.receipts().first)
        #expect(receipt.removed == 60 && receipt.service == "analytics-exporter")
        // Of a cursor of an erased row too.
        for row in before {
            let rest = try await exporter.rows("?cursor=\(row["cursor"]!)")
            let place = row["download_kbps"] as! Int64
            let behind = places(before).drop { $0 != place }.dropFirst()
            #expect(places(rest) == behind.filter { !mine.contains($0) })
        }
    }

    @Test func `a block that loses every row keeps its place`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.realtime), orders = TestOrders()
        do {
            let exporter = try TestExporter(directory)
            try exporter.take([try lane.block([row(1, 0)]), try lane.block([row(2, 1), row(2, 2)])])
            try exporter.erase([.of(2)], &orders)
            #expect(places(try await exporter.rows()) == [0])
            exporter.end()
        }
        let exporter = try TestExporter(directory)
        try exporter.take([try lane.block([row(3, 3)])])
        let rows = try await exporter.rows()
        #expect(rows.map { $0["cursor"] as! String } == ["1-0", "3-0"])
        #expect(try await exporter.text("/v1/reports.csv").split(separator: "\r\n").count == 3)
    }

    @Test func `outcomes of prompts go too`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch), orders = TestOrders()
        var prompt = row(2, 1)
        prompt.kind = .prompt
        try exporter.take([try lane.block([prompt]), try lane.block([row(2, 2), row(3, 3)])])
        #expect(exporter.effects.figures.rawRows == 2)
        try exporter.erase([.of(2)], &orders)
        #expect(exporter.effects.figures.rawRows == 1 && exporter.effects.figures.erasedRows == 1)
        #expect(try exporter.worker.receipts().map(\.removed) == [2])
        #expect(try exporter.folder.files.look(into: "2026-03-01", after: 0, for: [2]).blocks.isEmpty)
    }

    /// So that SQLite overwrites them where they are, and moves nobody's rows.
    @Test func `blocks keep their stored length`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        func lengths() throws -> [[Int]] {
            try exporter.folder.files.days.map { day in
                try exporter.folder.files.database(of: day).read {
                    try Int.fetchAll($0, sql: "SELECT length(payload) FROM blocks ORDER BY sequence")
                }
            }
        }
        let before = try lengths()
        var orders = TestOrders()
        for device in 1...4 as ClosedRange<UInt64> {
            try exporter.erase([.of(device, request: "r\(device)")], &orders)
            #expect(try lengths() == before)
        }
        #expect(exporter.effects.figures.rawRows == 60)
    }

    @Test func `blocks of before subjects were noted are opened once and noted`() async throws {
        let directory = try TemporaryDirectory()
        try filled(directory).end()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path + "/raw") {
            guard name.hasSuffix(".sqlite") else { continue }
            let file = try DatabaseQueue(path: directory.path + "/raw/" + name)
            try await file.write { db in
                try db.execute(
                    sql: "DROP TABLE gaps; DROP TABLE block_subjects; DROP TABLE block_hours; PRAGMA user_version = 1")
            }
            try file.close()
        }
        let exporter = try TestExporter(directory)
        let before = places(try await exporter.rows())
        var orders = TestOrders()
        try exporter.erase([.of(4)], &orders)
        #expect(places(try await exporter.rows()) == before.filter { ($0 / 10 * 7 + $0 % 10) % 5 != 3 })
        let unknown = try exporter.folder.files.database(of: "2026-03-02").read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM block_subjects WHERE subjects IS NULL")
        }
        #expect(unknown == 0)
    }

    @Test func `a download under way does not hand out what it had read`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let query = try RawRowQuery(
            QueryParameters([(key: String, value: String)](), known: []), RawRowLayout(.qoe), scope: .everything)
        let reader = try exporter.folder.files.opener.reader(after: .start)
        let first = try #require(try reader.next(query))
        #expect(first.columns[ColumnID.device]!.integers.contains(2))
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        var rows = 0
        while let block = try reader.next(query) {
            #expect(!block.columns[ColumnID.device]!.integers.contains(2))
            rows += query.rows(of: block).count
        }
        #expect(rows == 240 - 8)
    }

    @Test func `a page that was made before is not sent`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        let query = try RawRowQuery(
            QueryParameters([(key: String, value: String)](), known: []), RawRowLayout(.qoe), scope: .everything)
        let keys = try ExporterKeys(KeyStore(directory: directory.path + "/keys"))
        func stream() throws -> RawRowStream {
            let permits = Permits(9, "test", .init())
            try permits.take()
            return RawRowStream(
                reader: try exporter.folder.files.opener.reader(after: .start), query: query,
                printer: RowPrinter(
                    format: .csv, layout: RawRowLayout(.qoe),
                    pseudonyms: Pseudonyms(key: keys.pseudonyms, tenant: .builtIn)),
                isCompressed: true, permits: permits)
        }
        let old = try stream()
        let page = try #require(try await old.next())
        #expect(old.isCurrent(page))
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        #expect(!old.isCurrent(page))
        let new = try stream()
        #expect(new.isCurrent(try #require(try await new.next())))
    }

    @Test func `nothing is signed before router and aggregator have`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        var orders = TestOrders()
        let blocks = try orders.blocks([.of(2)])
        for (place, block) in blocks.enumerated() {
            #expect(try exporter.worker.receipts().isEmpty)
            #expect(try await exporter.rows().count == 300, "before block \(place)")
            try exporter.take([block])
            try exporter.settle()
        }
        #expect(try exporter.worker.receipts().count == 1)
        #expect(try await exporter.rows().count == 240)
    }

    @Test func `a reader of an older moment holds the receipt back`() throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory)
        var orders = TestOrders()
        let reading = try ReadOnlyDatabase(path: directory.path + "/raw/2026-03-01.sqlite")
        try reading.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM blocks")
            try exporter.erase([.of(2)], &orders)
            #expect(try exporter.worker.receipts().isEmpty)
        }
        exporter.clock.advance(by: 1_000)
        try exporter.settle()
        #expect(try exporter.worker.receipts().count == 1)
    }

    /// The day file has the block as it was before the order was heard; the lane sends it again without the subject's rows, or
    /// not at all.
    @Test(arguments: [[1, 2, 3], [2, 2]] as [[Int64]])
    func `the figure is true though a block comes again with fewer rows`(devices: [Int64]) async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.batch), orders = TestOrders()
        let first = try lane.block([row(1, 0), row(2, 1)])
        let second = try lane.block(devices.enumerated().map { row($1, 10 + Int64($0)) })
        do {
            let exporter = try TestExporter(directory)
            try exporter.take([first])
            try exporter.effects.prepare([second], now: 0)
            exporter.end()
        }
        let exporter = try TestExporter(directory)
        try exporter.take(try orders.blocks([.of(2)]) + [second])
        try exporter.settle()
        let left = 1 + devices.count { $0 != 2 }
        #expect(exporter.effects.figures.rawRows == Int64(left))
        #expect(try await exporter.rows().count == left)
    }

    @Test func `a home that never noted how far it had counted counts anew`() throws {
        let directory = try TemporaryDirectory()
        do {
            let exporter = try filled(directory)
            try exporter.folder.database.write { db in
                try db.execute(sql: "DELETE FROM figures WHERE name = 'raw_sequence'")
                try db.execute(sql: "UPDATE figures SET value = 290 WHERE name = 'raw_rows'")
            }
            exporter.end()
        }
        let exporter = try TestExporter(directory)
        #expect(exporter.effects.figures.rawRows == 300)
    }
}
