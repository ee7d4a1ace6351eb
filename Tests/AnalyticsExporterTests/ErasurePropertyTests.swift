import AnalyticsExporter
import ExporterRows
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Seeds
import Storage
import SubjectRights
import TemporaryFiles
import Testing

/// Random rows, scopes and crashes: what is left is what an exporter has that never saw the erased rows.
@Suite struct ErasurePropertyTests {
    private static let start: Int64 = 1_772_323_200_000

    private func rows(_ random: inout SplitMix64) -> [[TestRow]] {
        (0..<Int.random(in: 3...14, using: &random)).map { block in
            let kind = [RecordKind.report, .report, .feedback, .prompt].randomElement(using: &random)!
            return (0..<Int.random(in: 1...12, using: &random)).map { place in
                var values: [UInt8: Int64] = [
                    ColumnID.mcc: 624, ColumnID.mnc: Int64.random(in: 1...3, using: &random),
                    ColumnID.download: Int64(block * 100 + place),
                ]
                if Bool.random(using: &random) { values[ColumnID.flags] = RowFlags.notForOperators.rawValue }
                if Bool.random(using: &random) {
                    values[ColumnID.latitude] = 38_000_000 + Int64.random(in: 0...3, using: &random) * 100_000
                    values[ColumnID.longitude] = 115_000_000
                }
                let captured = Self.start + Int64.random(in: 0...40, using: &random) * 150_000
                return TestRow(
                    kind: kind, device: Int64.random(in: 1...5, using: &random),
                    received: captured + Int64.random(in: 0...2, using: &random) * ReceivedDay.milliseconds,
                    captured: captured, seq: Int64(block * 100 + place + 1), values: values,
                    comment: Bool.random(using: &random) ? "c\(place)" : nil)
            }
        }
    }

    private func subject(_ device: UInt64, _ request: String, _ random: inout SplitMix64) -> ErasureSubject {
        if Int.random(in: 0...2, using: &random) == 0 { return .of(device, request: request) }
        let from = Self.start + Int64.random(in: 0...20, using: &random) * 300_000
        let cell = Quadkey(latitude: 38_100_000, longitude: 115_000_000)!
        let scope = ErasureScope(
            from: Bool.random(using: &random) ? from : nil, to: Bool.random(using: &random) ? from + 1_500_000 : nil,
            cells: Bool.random(using: &random) ? [cell] : nil, requestedAt: Self.start + 86_400_000)
        return .of(device, scope, request: request)
    }

    private func isErased(_ row: TestRow, _ subjects: [ErasureSubject]) -> Bool {
        subjects.contains { subject in
            guard Int64(subject.device) == row.device, subject.scope.covers(row.captured) else { return false }
            guard let area = ErasureArea(subject.scope) else { return true }
            let cell = Quadkey.entry(
                latitude: row.values[ColumnID.latitude], longitude: row.values[ColumnID.longitude], accuracy: nil,
                speed: nil)
            return cell.map(area.meets) ?? false
        }
    }

    /// An exporter with some blocks and a tenant.
    private func exporter(_ directory: TemporaryDirectory, _ blocks: [[TestRow]]) async throws -> (TestExporter, String)
    {
        let exporter = try TestExporter(directory)
        let token = try await exporter.tenant("mtn", ["62401"])
        var lane = TestLane(.batch)
        for block in blocks where !block.isEmpty { try exporter.take([try lane.block(block)]) }
        return (exporter, token)
    }

    /// Lines without the first column, which is the cursor.
    private func csv(_ exporter: TestExporter, _ token: String?) async throws -> [Substring] {
        try await exporter.text("/v1/reports.csv", headers: token.map(TestExporter.bearer)).split(separator: "\r\n")
            .map { $0.drop { $0 != "," } }
    }

    private func ndjson(_ exporter: TestExporter, _ token: String?) async throws -> [Substring] {
        try await exporter.text("/v1/reports.ndjson", headers: token.map(TestExporter.bearer)).split(separator: "\n")
            .map { $0.drop { $0 != "," } }
    }

    /// Erases, and dies at a commit: `inItsPlace`, or after it.
    private func erase(
        _ subjects: [ErasureSubject], _ exporter: TestExporter, _ directory: TemporaryDirectory, diesAt commit: Int,
        inItsPlace: Bool
    ) throws -> TestExporter {
        var orders = TestOrders()
        let blocks = try orders.blocks(subjects)
        if inItsPlace {
            exporter.folder.database.add(TestCrash(after: commit))
            // With few rows there are fewer commits.
            _ = try? exporter.take(blocks)
            _ = try? exporter.settle()
        } else {
            try exporter.take(blocks)
            try exporter.settle(atMost: commit)
        }
        exporter.end()
        let new = try TestExporter(directory)
        // What was not committed comes again; the rest is dropped.
        try new.take(blocks)
        try new.settle()
        return new
    }

    /// Some rows, whose erasure is ordered, and what an exporter answers that never saw the erased ones.
    private struct Case {
        let subjects: [ErasureSubject]
        /// Of an exporter that has all rows, and has ended.
        let directory: TemporaryDirectory
        let token: String
        /// What the regulator and the tenant see of it.
        let all, seen: [[String: Any]]
        /// What is to be left: of the regulator and of the tenant.
        let csv, ndjson: [[Substring]]
        let rawRows: Int64
    }

    private func makeCase(_ seed: UInt64) async throws -> Case {
        var random = SplitMix64(seed: seed &* 7919)
        let blocks = rows(&random)
        let count = Int.random(in: 1...2, using: &random)
        let subjects = (1...count).map { subject(UInt64($0), "r\($0)", &random) }
        let directory = try TemporaryDirectory(inMemory: true), otherDirectory = try TemporaryDirectory(inMemory: true)
        let (first, token) = try await exporter(directory, blocks)
        try FileManager.default.copyItem(atPath: directory.path + "/keys", toPath: otherDirectory.path + "/keys")
        let (other, otherToken) = try await exporter(
            otherDirectory, blocks.map { $0.filter { !isErased($0, subjects) } })
        defer {
            first.end()
            other.end()
        }
        return Case(
            subjects: subjects, directory: directory, token: token, all: try await first.rows(),
            seen: try await first.rows(headers: TestExporter.bearer(token)),
            csv: [try await csv(other, nil), try await csv(other, otherToken)],
            ndjson: [try await ndjson(other, nil), try await ndjson(other, otherToken)],
            rawRows: other.effects.figures.rawRows)
    }

    @Test(arguments: 1...UInt64(Seeds.share(of: 8)))
    func `what is left is what one has that never saw the rest`(seed: UInt64) async throws {
        let wanted = try await makeCase(seed)
        for isInItsPlace in [true, false] {
            for commit in 0...6 { try await check(wanted, diesAt: commit, inItsPlace: isInItsPlace) }
        }
    }

    private func check(_ wanted: Case, diesAt commit: Int, inItsPlace: Bool) async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        for file in try FileManager.default.contentsOfDirectory(atPath: wanted.directory.path) {
            try FileManager.default.copyItem(
                atPath: wanted.directory.path + "/" + file, toPath: directory.path + "/" + file)
        }
        let erased = try erase(
            wanted.subjects, try TestExporter(directory), directory, diesAt: commit, inItsPlace: inItsPlace)
        defer { erased.end() }
        #expect(try erased.worker.receipts().count <= wanted.subjects.count)
        for (place, token) in [nil, wanted.token].enumerated() {
            #expect(try await csv(erased, token) == wanted.csv[place])
            #expect(try await ndjson(erased, token) == wanted.ndjson[place])
        }
        try await checkCursors(erased, wanted.all)
        let figures = erased.effects.figures
        #expect(figures.rawRows == wanted.rawRows, "died at commit \(commit)")
        #expect(figures.rawRows + figures.erasedRows == Int64(wanted.all.count))
        let left = try await erased.rows(headers: TestExporter.bearer(wanted.token))
        try await checkNotices(
            erased, wanted.token, gone: Set(wanted.seen.map(name)).subtracting(left.map(name)), wanted.seen)
    }

    private func name(_ row: [String: Any]) -> String { row["id"] as! String }

    private func checkCursors(_ exporter: TestExporter, _ before: [[String: Any]]) async throws {
        let after = try await exporter.rows()
        let left = Set(after.map(name))
        #expect(
            after.map { $0["cursor"] as! String }
                == before.filter { left.contains(name($0)) }.map { $0["cursor"] as! String })
        for place in stride(from: 0, to: before.count, by: 5) {
            let rest = try await exporter.rows("?cursor=\(before[place]["cursor"]!)").map(name)
            #expect(rest == before[(place + 1)...].map(name).filter(left.contains))
        }
    }

    /// The tenant is told of every row that it saw and that is gone, and of no other.
    private func checkNotices(
        _ exporter: TestExporter, _ token: String, gone: Set<String>, _ seen: [[String: Any]]
    ) async throws {
        var expected: [String: Int] = [:]
        for row in seen where gone.contains(name(row)) {
            let day = ReceivedDay.text(of: ReceivedDay.number(of: row["received_at_ms"] as! Int64))
            expected["\(day) \(row["device"]!)", default: 0] += 1
        }
        var told: [String: Int] = [:]
        for notice in try await exporter.notices(token) {
            told["\(notice["day"]!) \(notice["device"]!)", default: 0] += notice["rows"] as! Int
            if notice["scope"] as! String == "part" {
                let times = seen.filter {
                    gone.contains(name($0)) && $0["device"] as! String == notice["device"] as! String
                }.map { $0["captured_at_ms"] as! Int64 }
                #expect(notice["captured_from_ms"] as? Int64 == times.min())
                #expect(notice["captured_to_ms"] as? Int64 == times.max())
            }
        }
        #expect(told == expected)
    }
}
