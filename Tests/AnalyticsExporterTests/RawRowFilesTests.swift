import AnalyticsExporter
import ExporterRows
import Foundation
import GRDB
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing
import Wire

@Suite struct RawRowFilesTests {
    private static let midnight: Int64 = 1_772_323_200_000  // 2026-03-01T00:00:00Z

    private func row(_ received: Int64, seq: Int64) -> TestRow {
        TestRow(received: received, captured: received - 1000, seq: seq)
    }

    private func counts(_ directory: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory + "/raw")
        where name.hasSuffix(".sqlite") {
            let database = try ReadOnlyDatabase(path: directory + "/raw/" + name)
            counts[String(name.prefix(10))] = try database.read {
                try Int.fetchOne($0, sql: "SELECT coalesce(sum(row_count), 0) FROM blocks")
            }
            try database.close()
        }
        return counts
    }

    @Test func `a crash between day file and cursor adds nothing twice`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.batch)
        let first = try lane.block((1...5).map { row(Self.midnight + $0, seq: $0) })
        let second = try lane.block((6...9).map { row(Self.midnight + $0, seq: $0) })
        do {
            let exporter = try TestExporter(directory)
            try exporter.take([first])
            // The crash: the rows of the second are in their file, the cursor is not past it.
            try exporter.effects.prepare([second], now: 0)
        }
        let exporter = try TestExporter(directory)
        // They are counted with the files that have them, and not again when the block comes again.
        #expect(exporter.effects.figures.rawRows == 9)
        try exporter.take([first, second])
        #expect(exporter.effects.figures.rawRows == 9)
        #expect(try counts(directory.path) == ["2026-03-01": 9])
        #expect(try await exporter.rows().count == 9)
    }

    @Test func `the same blocks again add nothing`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.batch)
        let blocks = try (0..<4).map { block in
            try lane.block((0..<10).map { row(Self.midnight, seq: block * 10 + $0 + 1) })
        }
        for _ in 0..<3 {
            let exporter = try TestExporter(directory)
            try exporter.take(blocks)
            #expect(exporter.effects.figures.rawRows == 40)
            #expect(try await exporter.rows().count == 40)
        }
    }

    @Test func `rows of a block go to the day they were received on`() async throws {
        let directory = try TemporaryDirectory()
        var lane = TestLane(.realtime)
        let exporter = try TestExporter(directory)
        let times = [Self.midnight - 2, Self.midnight + 1, Self.midnight - 1, Self.midnight]
        try exporter.take([try lane.block(times.enumerated().map { row($1, seq: Int64($0) + 1) })])
        #expect(try counts(directory.path) == ["2026-02-28": 2, "2026-03-01": 2])
        #expect(exporter.effects.figures.rawRows == 4)
        let received = try await exporter.rows().map { $0["received_at_ms"] as! Int64 }
        #expect(received == [Self.midnight - 2, Self.midnight - 1, Self.midnight + 1, Self.midnight])
    }

    @Test func `payloads are sealed and come back`() async throws {
        let directory = try TemporaryDirectory()
        let sealer = BlockSealer(key: [UInt8](repeating: 3, count: 32))
        var lane = TestLane(.batch)
        let block = try lane.block([row(Self.midnight, seq: 1)])
        let exporter = try TestExporter(directory, sealer: sealer)
        try exporter.take([block])
        #expect(try await exporter.rows().count == 1)
        try exporter.folder.files.close()
        let content = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/raw/2026-03-01.sqlite"))
        #expect(content.range(of: Data(block.block.payload.suffix(20))) == nil)
    }

    @Test func `many days are read in order of arrival though few files are open`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        var order: [Int64] = []
        for step in Int64(0)..<30 {
            let received = Self.midnight + (step * 7 % 11) * ReceivedDay.milliseconds
            try exporter.take([try lane.block([row(received, seq: step + 1)])])
            order.append(received)
        }
        #expect(try await exporter.rows().map { $0["received_at_ms"] as! Int64 } == order)
        #expect(try counts(directory.path).count == 11)
    }

    @Test func `days have their calendar names`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        for number in stride(from: Int64(-800_000 / 40), to: 40_000, by: 37) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let text = String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
            #expect(ReceivedDay.text(of: number) == text)
            #expect(ReceivedDay.number(named: text) == number)
        }
    }
}
