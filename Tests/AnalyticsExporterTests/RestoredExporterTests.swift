import ExporterRows
import ExporterStores
import ExporterSupport
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter

/// An exporter whose home came out of a backup: its day files may be ahead of its cursors.
@Suite struct RestoredExporterTests {
    private static let midnight: Int64 = 1_772_323_200_000  // 2026-03-01T00:00:00Z
    private let directory = try! TemporaryDirectory()

    private func rows(_ seqs: ClosedRange<Int64>, received: Int64 = RestoredExporterTests.midnight) -> [TestRow] {
        seqs.map { TestRow(received: received + $0, captured: received + $0 - 1_000, seq: $0) }
    }

    private func restoration(_ exporter: TestExporter, head: UInt64) -> Restoration {
        let batch = Restoration.Lane(lane: .batch, oldGeneration: 7, head: head, generation: 8)
        let operations = try! exporter.folder.database.read { db in
            Restoration.Lane(
                lane: .operations,
                oldGeneration: UInt64(try Int64.fetchOne(db, sql: "SELECT generation FROM lane_operations_state")!),
                head: 0, generation: 9)
        }
        return Restoration(id: "r", backedUpAt: 0, restoredAt: 0, lanes: [batch, operations], readers: [])
    }

    /// Opens the folder as the service does, and closes it again.
    private func settle(_ restoration: Restoration) throws {
        let folder = try ExporterFolder(.qoe, directory: directory.path, sealer: nil, restoration: restoration)
        try folder.files.close()
        try folder.database.close()
    }

    @Test func `rows ahead of the cursor go, and come once with their blocks in the new generation`() async throws {
        var lane = TestLane(.batch)
        let before = try TestExporter(directory)
        try before.take([lane.block(rows(1...5))])
        // The day after, and more of the day.
        try before.effects.prepare(
            [lane.block(rows(6...9)), lane.block(rows(1...2, received: Self.midnight + 86_400_000))], now: 0)
        let restoration = restoration(before, head: 1)
        before.end()
        try settle(restoration)
        let exporter = try TestExporter(directory)
        #expect(try await exporter.rows().count == 5)
        #expect(exporter.effects.figures.rawRows == 5)
        var again = TestLane(.batch, generation: 8)
        _ = try again.block(rows(1...1))
        // Block 2 means other rows now.
        try exporter.take([again.block(rows(20...26))])
        #expect(try await exporter.rows().count == 12)
        #expect(exporter.effects.figures.rawRows == 12)
        exporter.end()
    }

    @Test func `exports are made anew of the rows that there are`() async throws {
        var lane = TestLane(.batch)
        let before = try TestExporter(directory)
        try before.take([lane.block(rows(1...5))])
        _ = try await before.exports()
        try before.export()
        let old = try await before.exports().files
        #expect(old.reduce(0) { $0 + ($1.period == "hour" ? $1.rows! : 0) } == 5)
        // These are lost: the backup has the row files of a moment later than its cursors.
        try before.effects.prepare([lane.block(rows(6...9))], now: 0)
        let restoration = restoration(before, head: 1)
        before.end()
        // Files of exports are in no backup.
        try FileManager.default.removeItem(atPath: directory.path + "/exports")
        try settle(restoration)
        let exporter = try TestExporter(directory)
        #expect(try await exporter.exports().files.allSatisfy { $0.state == "rewriting" })
        var again = TestLane(.batch, generation: 8)
        _ = try again.block(rows(1...1))
        try exporter.take([again.block(rows(20...26))])
        try exporter.export()
        let end = ReceivedHour.number(of: exporter.clock.now - 60_000)
        try await exporter.expectExports(through: end)
        let new = try await exporter.exports().files
        #expect(new.reduce(0) { $0 + ($1.period == "hour" ? $1.rows! : 0) } == 12)
        exporter.end()
    }

    @Test func `a folder of which nothing was ever read is taken in, and changes of alarms begin far ahead`() throws {
        try ExporterFolder(.qoe, directory: directory.path, sealer: nil).database.close()
        let batch = Restoration.Lane(lane: .batch, oldGeneration: 7, head: 1, generation: 8)
        let folder = try ExporterFolder(
            .qoe, directory: directory.path, sealer: nil,
            restoration: Restoration(id: "r", backedUpAt: 10, restoredAt: 30, lanes: [batch], readers: []))
        let last = try folder.database.read {
            try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm_changes'")
        }
        #expect(last == RestoredExporter.leap + 2_000)
        try folder.database.close()
    }

    @Test func `places leap again if nothing came between two restores`() throws {
        try ExporterFolder(.qoe, directory: directory.path, sealer: nil).database.close()
        var leaps: [Int64] = []
        for (id, time) in [("r", 50_000), ("s", 60_000)] as [(String, Int64)] {
            let batch = Restoration.Lane(lane: .batch, oldGeneration: 7, head: 1, generation: UInt64(time))
            let folder = try ExporterFolder(
                .qoe, directory: directory.path, sealer: nil,
                restoration: Restoration(id: id, backedUpAt: time, restoredAt: time, lanes: [batch], readers: []))
            leaps.append(try folder.database.read { try ExporterStore.value(of: .rawLeap, $0) })
            try folder.files.close()
            try folder.database.close()
        }
        #expect(leaps == [RestoredExporter.leap, 2 * RestoredExporter.leap])
    }

    /// After a crash rows are counted by what the files have, before their blocks come again; the backup may be of that moment.
    @Test func `rows that were counted before their blocks came again are not counted any more`() async throws {
        var lane = TestLane(.batch)
        let first = try TestExporter(directory)
        try first.take([lane.block(rows(1...5))])
        try first.effects.prepare([lane.block(rows(6...9))], now: 0)
        first.end()
        let second = try TestExporter(directory)
        #expect(second.effects.figures.rawRows == 9)
        let restoration = restoration(second, head: 1)
        second.end()
        try settle(restoration)
        let exporter = try TestExporter(directory)
        #expect(exporter.effects.figures.rawRows == 5)
        #expect(try await exporter.rows().count == 5)
        exporter.end()
    }

    @Test func `clients that go on from a place of the lost life get all that comes after the restore`() async throws {
        var lane = TestLane(.batch)
        let before = try TestExporter(directory)
        try before.take([lane.block(rows(1...5))])
        let restoration = restoration(before, head: 1)
        before.end()
        try settle(restoration)
        let exporter = try TestExporter(directory)
        var again = TestLane(.batch, generation: 8)
        _ = try again.block(rows(1...1))
        try exporter.take([again.block(rows(6...8))])
        // In the lost life blocks 2 to 40 had been downloaded.
        #expect(try await exporter.rows("?cursor=40-3").count == 3)
        #expect(try await exporter.rows("?cursor=1-4").count == 3)
        exporter.end()
        let later = try TestExporter(directory)
        try later.take([again.block(rows(9...9))])
        #expect(try await later.rows("?cursor=40-3").count == 4)
        later.end()
    }

    @Test func `a stream of alarms is told to begin anew`() throws {
        let before = try TestExporter(directory)
        try before.folder.database.write { db in
            for number in 1...3 {
                try db.execute(
                    sql: "INSERT INTO alarm_changes (alarm, document) VALUES (?, '{}')", arguments: ["a\(number)"])
            }
        }
        let restoration = restoration(before, head: 0)
        before.end()
        try settle(restoration)
        let exporter = try TestExporter(directory)
        defer { exporter.end() }
        for known in [0, 3, 9, 500] as [Int64] {
            let page = try exporter.folder.database.read {
                try AlarmStore.changes(after: known, limit: 10, Tenant.builtIn, $0)
            }
            #expect(page == nil, "\(known)")
        }
    }

    @Test func `a crash between the database and the day files loses nothing of it`() async throws {
        var lane = TestLane(.batch)
        let before = try TestExporter(directory)
        try before.take([lane.block(rows(1...5))])
        try before.effects.prepare([lane.block(rows(6...9))], now: 0)
        let restoration = restoration(before, head: 1)
        // The database is brought over, the files are not.
        try restoration.settle(before.folder.database) { try RestoredRawRows.note(restoration, $0) }
        before.end()
        try settle(restoration)
        let exporter = try TestExporter(directory)
        #expect(try await exporter.rows().count == 5)
        exporter.end()
    }
}
