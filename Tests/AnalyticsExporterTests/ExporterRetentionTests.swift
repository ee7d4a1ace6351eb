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
@testable import ExporterStores

@Suite struct ExporterRetentionTests {
    private static let day = ReceivedDay.milliseconds
    /// 2026-03-01T00:00:00Z.
    private static let midnight: Int64 = 1_772_323_200_000

    /// A row received so many days before the first of March, and some seconds into the day.
    private func row(_ device: Int64, ago days: Int64, _ place: Int64) -> TestRow {
        let received = Self.midnight - days * Self.day + place * 1_000
        return TestRow(
            device: device, received: received, captured: received - 500, seq: place + 1,
            id: RecordIdentifier(high: UInt64(days), low: UInt64(device) << 32 | UInt64(place)),
            values: [ColumnID.mcc: 624, ColumnID.mnc: 1, ColumnID.download: days])
    }

    private func filled(_ exporter: TestExporter, _ lane: inout TestLane, ages: [Int64]) throws {
        for age in ages { try exporter.take([try lane.block((0..<5).map { row($0 + 1, ago: age, $0) })]) }
    }

    private func order(
        _ exporter: TestExporter, _ privacy: inout TestLane, isDryRun: Bool = false, days: Int = 30, more: Int64 = 0
    ) throws {
        let order = RetentionOrderDocument(
            issuedAt: Self.midnight + more, isDryRun: isDryRun, source: .schedule,
            days: [.rawRows: days, .failedAuthentications: 30, .erasureNotices: 365])
        try exporter.take([try privacy.block(kind: .retentionOrder, .documents([(order.key, order)]))])
        for _ in 0..<30 {
            exporter.clock.advance(by: 1_000)
            try exporter.settle()
        }
    }

    private func ages(_ exporter: TestExporter) async throws -> [Int64] {
        try await exporter.rows().map { $0["download_kbps"] as! Int64 }
    }

    private func files(_ directory: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path + "/raw").sorted()
    }

    /// What a report says was removed, or would be: records and bytes.
    private func counted(_ report: RetentionReportDocument) -> [String: [Int]] {
        report.kinds.mapValues { [$0.removed, $0.bytes] }
    }

    @Test func `a raw day file of 31 days ago is unlinked, one of 30 days is not`() async throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch), privacy = TestLane(.privacy)
        try filled(exporter, &lane, ages: [31, 30, 1, 40, 0])
        try order(exporter, &privacy)
        #expect(Set(try await ages(exporter)) == [30, 1, 0])
        let left = try files(directory)
        #expect(!left.contains { $0.hasPrefix("2026-01-29") || $0.hasPrefix("2026-01-20") })
        #expect(left.contains("2026-01-30.sqlite"))
        #expect(exporter.effects.figures.rawRows == 15 && exporter.effects.figures.retiredRows == 10)
        let figures = try #require(try exporter.worker.retentionReports().first?.kinds["raw_rows"])
        #expect(figures.removed == 10 && figures.bytes > 0 && figures.oldest == Self.midnight - 30 * Self.day)
        #expect(exporter.effects.figures.heatmapSamples == 0)
    }

    @Test func `a dry run unlinks nothing and counts what the real run then removes`() async throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch), privacy = TestLane(.privacy)
        try filled(exporter, &lane, ages: [31, 30, 33, 40])
        let before = try await ages(exporter)
        try order(exporter, &privacy, isDryRun: true)
        #expect(try await ages(exporter) == before && exporter.effects.figures.retiredRows == 0)
        try order(exporter, &privacy, more: 1)
        let reports = try exporter.worker.retentionReports()
        #expect(reports.map(\.isDryRun) == [true, false] && counted(reports[0]) == counted(reports[1]))
        #expect(reports[1].kinds["raw_rows"]?.removed == 15)
    }

    @Test func `rows that an erasure took before are not counted again`() async throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch), orders = TestOrders()
        try filled(exporter, &lane, ages: [31, 3])
        try exporter.erase([.of(2)], &orders)
        #expect(exporter.effects.figures.rawRows == 8)
        try order(exporter, &orders.privacy)
        let figures = exporter.effects.figures
        #expect(figures.rawRows == 4 && figures.erasedRows == 2 && figures.retiredRows == 4)
    }

    @Test func `places are never given out again though the newest files are gone`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.batch), privacy = TestLane(.privacy), cursor = ""
        do {
            let exporter = try TestExporter(directory)
            try filled(exporter, &lane, ages: [40, 41, 42])
            cursor = try #require(try await exporter.rows().last?["cursor"] as? String)
            try order(exporter, &privacy)
            #expect(try await ages(exporter).isEmpty && !files(directory).contains { $0.hasSuffix(".sqlite") })
            exporter.end()
        }
        let exporter = try TestExporter(directory)
        #expect(exporter.effects.figures.rawRows == 0)
        try filled(exporter, &lane, ages: [1])
        let rest = try await exporter.rows("?cursor=\(cursor)")
        #expect(rest.count == 5 && exporter.effects.figures.rawRows == 5)
    }

    @Test func `a crash before the file was unlinked is made good at the start`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.batch)
        do {
            let exporter = try TestExporter(directory)
            try filled(exporter, &lane, ages: [40, 1])
            // As the transaction leaves it.
            try exporter.folder.database.write { db in
                try RawRetirements.add("2026-01-20", db)
                try ExporterStore.add(-5, to: .rawRows, in: db)
            }
            exporter.end()
        }
        let exporter = try TestExporter(directory)
        #expect(try await ages(exporter) == [1, 1, 1, 1, 1] && exporter.effects.figures.rawRows == 5)
        #expect(try !files(directory).contains { $0.hasPrefix("2026-01-20") })
        #expect(try exporter.folder.database.read { try RawRetirements.days($0) }.isEmpty)
    }

    @Test func `a reader ends a day that goes, and goes on with the next one`() throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch), privacy = TestLane(.privacy)
        for _ in 0..<20 { try filled(exporter, &lane, ages: [40]) }
        try filled(exporter, &lane, ages: [41, 1])
        let query = try RawRowQuery(
            QueryParameters([(key: String, value: String)](), known: []), RawRowLayout(.qoe), scope: .everything)
        let reader = try exporter.folder.files.opener.reader(after: .start)
        for _ in 0..<3 { _ = try #require(try reader.next(query)) }
        try order(exporter, &privacy)
        let rest = try #require(try reader.next(query))
        #expect(rest.day == "2026-02-28")
        #expect(try reader.next(query) == nil)
    }

    @Test(arguments: 0..<8) func `an erasure that is under way passes over a day that went`(steps: Int) async throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch), orders = TestOrders()
        try filled(exporter, &lane, ages: [40, 41, 1, 2])
        try exporter.take(try orders.blocks([.of(2)]))
        // The pass has begun; it has planned rows of the oldest days, or carried out what it planned.
        try exporter.settle(atMost: steps)
        try order(exporter, &orders.privacy)
        #expect(try await exporter.rows().count == 8)
        #expect(try !files(directory).contains { $0.hasPrefix("2026-01") })
        let figures = exporter.effects.figures
        #expect(figures.rawRows == 8 && figures.rawRows + figures.erasedRows + figures.retiredRows == 20)
        #expect(try exporter.worker.receipts().count == 1)
    }

    @Test func `failures and notices nobody acknowledged go by their time`() throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var privacy = TestLane(.privacy)
        try exporter.folder.database.write { db in
            for (number, age) in [Int64(29), 30, 31, 40].enumerated() {
                try db.execute(
                    sql: "INSERT INTO failed_authentications VALUES (?, ?, 'unknown_token', 2, ?)",
                    arguments: [(Self.midnight - age * Self.day) / 60_000, "10.0.0.0/24", 0])
                try db.execute(
                    sql: """
                        INSERT INTO erasure_notices (id, tenant, day, device, rows, whole, captured_from, captured_to,
                            published_at) VALUES (?, 1, '2025-01-01', 'ab', 1, 1, 0, 0, ?)
                        """, arguments: ["n\(number)", Self.midnight - (age + 335) * Self.day])
            }
            // One that still grows has no time.
            try db.execute(
                sql: """
                    INSERT INTO erasure_notices (id, tenant, day, device, rows, whole, captured_from, captured_to)
                    VALUES ('growing', 1, '2025-01-01', 'cd', 1, 1, 0, 0)
                    """)
        }
        try order(exporter, &privacy)
        let report = try #require(try exporter.worker.retentionReports().first)
        #expect(
            report.kinds["failed_authentications"]
                == RetentionFigures(removed: 2, oldest: Self.midnight - 30 * Self.day))
        #expect(report.kinds["erasure_notices"] == RetentionFigures(removed: 2, oldest: Self.midnight - 365 * Self.day))
        let left = try exporter.folder.database.read { try String.fetchAll($0, sql: "SELECT id FROM erasure_notices") }
        #expect(Set(left) == ["n0", "n1", "growing"])
    }

    @Test func `of an alarm that the router removed no document stays, and clients are told`() throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var alerts = TestLane(.alerts)
        func alarm(_ key: String, _ document: String?) throws -> LaneBlock {
            try alerts.block(
                kind: .alarm,
                Columns(
                    rowCount: 1,
                    columns: [
                        Column(id: ColumnID.key, strings: [Array(key.utf8)]),
                        Column(id: ColumnID.document, strings: [document.map { Array($0.utf8) }]),
                    ]))
        }
        try exporter.take([
            try alarm("a", #"{"id":"a","plmn":"62401"}"#), try alarm("b", #"{"id":"b","plmn":"62401"}"#),
            try alarm("a", #"{"id":"a","plmn":"62401","records":2}"#), try alarm("a", nil),
        ])
        let (documents, page) = try exporter.folder.database.read { db in
            (
                try AlarmStore.page(AlarmFilter(), offset: 0, limit: 9, .builtIn, db).documents,
                try AlarmStore.changes(after: 0, limit: 10, .builtIn, db)
            )
        }
        #expect(documents.map { String(decoding: $0, as: UTF8.self) } == [#"{"id":"b","plmn":"62401"}"#])
        let changes = try #require(page?.changes)
        #expect(changes.map(\.alarm) == ["a", "b", "a", "a"])
        #expect(changes.filter { $0.alarm == "a" }.allSatisfy { $0.document == nil })
    }
}
