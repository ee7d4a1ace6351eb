import GRDB
import IngestSupport
import IngestUploads
import Lanes
import Logging
import Models
import QoE
import Storage
import Synchronization
import Testing
import Wire

@testable import IngestCommit

@Suite struct UploadTraceTests {
    private let database: ServiceDatabase
    private let journal: Journal
    private let lane: LaneRows
    private let one = BatchID(high: 1, low: 1), two = BatchID(high: 2, low: 2), three = BatchID(high: 3, low: 3)

    init() throws {
        database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        journal = try Journal(lane: .realtime, in: database, newGeneration: { 77 })
        lane = LaneRows(journal, ColumnEncoder())
    }

    private func rows(_ count: Int) -> PackedColumns {
        PackedColumns(
            Columns(rowCount: count, columns: [Column(id: ColumnID.device, values: (0..<count).map { Int64($0) })]))
    }

    private func commit(isTraced: Bool, _ body: (Database) throws -> Void) throws -> [Block] {
        try database.write { db in
            lane.begin(isTraced: isTraced)
            try body(db)
            return try lane.finish(db, now: 9)
        }
    }

    private func position(_ block: UInt64) -> Position { Position(lane: .realtime, generation: 77, block: block) }

    @Test func `rows of each upload are found in the blocks that were made of them`() throws {
        let blocks = try commit(isTraced: true) { db in
            try lane.append(.report, rows(3), rows: nil, of: one, db, now: 9)
            try lane.append(.feedback, rows(1), rows: nil, of: two, db, now: 9)
            try lane.append(.report, rows(9), rows: [0, 2, 4, 6], of: three, db, now: 9)
            try lane.append(.report, rows(9), rows: [], of: two, db, now: 9)
            // More than a block has: what waits goes before it, and it is cut in two.
            try lane.append(.report, rows(5_000), rows: nil, of: two, db, now: 9)
        }
        #expect(blocks.map(\.header.rowCount) == [7, 2_500, 2_500, 1])
        #expect(
            lane.traces == [
                UploadTrace(batchID: one, position: position(1), rows: 0...2),
                UploadTrace(batchID: three, position: position(1), rows: 3...6),
                UploadTrace(batchID: two, position: position(2), rows: 0...2_499),
                UploadTrace(batchID: two, position: position(3), rows: 0...2_499),
                UploadTrace(batchID: two, position: position(4), rows: 0...0),
            ])
        var decoder = ColumnDecoder()
        let first = try blocks[0].columns(with: &decoder)
        #expect(first[ColumnID.device]?.integers == [0, 1, 2, 0, 2, 4, 6])
        #expect(first[ColumnID.receivedAt]?.integers == [Int64](repeating: 9, count: 7))
    }

    @Test func `nothing of a commit that failed is in the next one`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try commit(isTraced: true) { db in
                try lane.append(.report, rows(3), rows: nil, of: one, db, now: 9)
                throw Stop()
            }
        }
        let blocks = try commit(isTraced: true) { db in
            try lane.append(.report, rows(2), rows: nil, of: two, db, now: 9)
        }
        #expect(blocks.map(\.header.number) == [1] && blocks.map(\.header.rowCount) == [2])
        #expect(lane.traces.map(\.batchID) == [two])
    }

    @Test func `a lane that is not traced keeps nothing`() throws {
        _ = try commit(isTraced: false) { try lane.append(.report, rows(3), rows: nil, of: one, $0, now: 9) }
        #expect(lane.traces.isEmpty)
    }

    @Test func `urgent uploads are logged at info, ordinary ones at debug only`() {
        func lanes(_ level: Logger.Level) -> Set<LaneName> {
            UploadLog(Levelled.logger(level)).lanes
        }
        #expect(lanes(.debug) == [.realtime, .batch] && lanes(.info) == [.realtime] && lanes(.warning) == [])
    }

    @Test func `a line names block and uploads with their rows, and has no more than 64 of them`() {
        let lines = Levelled.Lines()
        let traces = (0..<70).map {
            UploadTrace(batchID: BatchID(high: 0, low: UInt64($0)), position: position(12), rows: $0 * 2...$0 * 2 + 1)
        }
        UploadLog(Levelled.logger(.info, lines)).write(
            traces + [UploadTrace(batchID: BatchID(high: 0xAB, low: 1), position: position(13), rows: 4...4)])
        let written = lines.all
        #expect(written.count == 3)
        #expect(written[0].contains("trace=realtime/77/12"))
        #expect(written[0].contains("\(BatchID(high: 0, low: 3).text):6-7"))
        #expect(
            !written[0].contains(BatchID(high: 0, low: 64).text) && written[1].contains(BatchID(high: 0, low: 64).text))
        #expect(
            written[2].contains("trace=realtime/77/13") && written[2].contains("00000000000000ab0000000000000001:4"))
    }
}

/// A logger whose lines can be looked at.
private enum Levelled {
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    struct Handler: LogHandler {
        let lines: Lines
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.add("\(event.message) \(fields.joined(separator: " "))")
        }
    }

    static func logger(_ level: Logger.Level, _ lines: Lines = Lines()) -> Logger {
        Logger(label: "test") { _ in Handler(lines: lines, logLevel: level) }
    }
}
