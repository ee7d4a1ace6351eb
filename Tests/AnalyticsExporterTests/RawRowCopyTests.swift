import ExporterRows
import Foundation
import GRDB
import Models
import QoE
import Storage
import SubjectRights
import TemporaryFiles
import Testing

@testable import AnalyticsExporter

@Suite struct RawRowCopyTests {
    private static let midnight: Int64 = 1_772_323_200_000  // 2026-03-01T00:00:00Z

    private func lines(
        _ exporter: TestExporter, of device: UInt64
    ) throws -> [(kind: String, members: [String: Any])] {
        let copy = RawRowCopy(exporter.effects.files), database = try ServiceDatabase(path: ":memory:", migrations: [])
        var place: String?, lines: [SubjectLine] = []
        repeat {
            let page = try database.read { try copy.page(of: device, after: place, in: $0) }
            lines += page.lines
            place = page.next
        } while place != nil
        #expect(lines.allSatisfy { line in copy.held.contains { $0.kind == line.kind } })
        return try lines.map {
            ($0.kind, try JSONSerialization.jsonObject(with: Data($0.members)) as? [String: Any] ?? [:])
        }
    }

    private func row(_ device: Int64, _ place: Int64, day: Int64) -> TestRow {
        let received = Self.midnight + day * ReceivedDay.milliseconds + place * 1_000
        return TestRow(
            device: device, received: received, captured: received - 500, seq: place + 1,
            values: [ColumnID.mcc: 624, ColumnID.mnc: 1, ColumnID.download: place, ColumnID.rsrp: -843])
    }

    @Test func `every row of a device comes once and none of another`() throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        for block in 0..<60 as Range<Int64> {
            try exporter.take([
                try lane.block((0..<10).map { row((block * 7 + $0) % 5 + 1, block * 10 + $0, day: block % 12) })
            ])
        }
        for device in 1...6 as ClosedRange<Int64> {
            let expected: [Int64] = (0..<600).filter { ($0 / 10 * 7 + $0 % 10) % 5 + 1 == device }
            let places = try lines(exporter, of: UInt64(device)).map { $0.members["download_kbps"] as? Int64 }
            #expect(places.compactMap { $0 }.sorted() == expected)
        }
    }

    @Test func `a row is given with all its columns and its own identifier`() throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.realtime)
        var feedback = row(3, 4, day: 0)
        feedback.kind = .feedback
        feedback.values[ColumnID.rating] = 2
        feedback.values[ColumnID.consentVersion] = 7
        feedback.comment = "« lent »\n\"x\""
        feedback.id = RecordIdentifier(high: 1, low: 2)
        try exporter.take([try lane.block([feedback])])
        var batch = TestLane(.batch)
        var prompt = row(3, 5, day: 0)
        prompt.kind = .prompt
        try exporter.take([try batch.block([prompt])])
        try exporter.take([try batch.block([row(3, 6, day: 0)])])
        let given = try lines(exporter, of: 3)
        #expect(given.map(\.kind) == ["feedback", "prompt", "report"])
        let first = given[0].members
        #expect(
            first["id"] as? String == "00000000-0000-0001-0000-000000000002" && first["lane"] as? String == "realtime")
        #expect(first["comment"] as? String == "« lent »\n\"x\"" && first["rating"] as? Int == 2)
        #expect(first["rsrp_dbm"] as? Double == -84.3 && first["consent_version"] as? Int == 7)
        #expect(first["captured_at_ms"] as? Int64 == Self.midnight + 3_500 && first["seq"] as? Int == 5)
        #expect(first["received_at_ms"] as? Int64 == Self.midnight + 4_000 && first["device"] == nil)
        // Of a record without an identifier it is the one that follows from its counter.
        #expect(given[2].members["id"] as? String == RecordIdentifier(device: 3, seq: 7).text)
    }

    @Test func `what was erased is not given`() throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        try exporter.take([try lane.block((0..<10).map { row($0 % 2 + 1, $0, day: 0) })])
        var orders = TestOrders()
        let scope = ErasureScope(
            from: nil, to: Self.midnight + 4_000, cells: nil, requestedAt: Self.midnight + 86_400_000)
        try exporter.erase([.of(1, scope)], &orders)
        #expect(try lines(exporter, of: 1).isEmpty)
        #expect(try lines(exporter, of: 2).count == 5)
    }
}
