import Logging
import Models
import Synchronization
import Testing
import Wire

@testable import Ingest

@Suite struct UploadTraceTests {
    private func rows(_ count: Int) -> Columns {
        Columns(rowCount: count, columns: [Column(id: ColumnID.device, values: (0..<count).map { Int64($0) })])
    }

    private func block(_ number: UInt64, _ kind: RecordKind, rows: Int) -> Block {
        Block(
            header: BlockHeader(
                generation: 77, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
                rowCount: rows, keptRows: rows, keyID: 0, committedAt: 0, subjects: [], rawLength: 0, crc32: 0),
            payload: [])
    }

    private func position(_ block: UInt64) -> Position { Position(lane: .realtime, generation: 77, block: block) }

    @Test func `rows of each upload are found in the blocks that were made of them`() {
        var lane = LaneRows(of: .realtime, in: [.realtime])
        let one = BatchID(high: 1, low: 1), two = BatchID(high: 2, low: 2), three = BatchID(high: 3, low: 3)
        lane.append(.report, rows(3), rows: nil, of: one)
        lane.append(.feedback, rows(1), rows: nil, of: two)
        lane.append(.report, rows(9), rows: [0, 2, 4, 6], of: three)
        lane.append(.report, rows(9), rows: [], of: two)
        let traces = lane.traces(in: [
            block(5, .report, rows: 5), block(6, .report, rows: 2), block(7, .feedback, rows: 1),
        ])
        #expect(
            traces == [
                UploadTrace(batchID: one, position: position(5), rows: 0...2),
                UploadTrace(batchID: three, position: position(5), rows: 3...4),
                UploadTrace(batchID: three, position: position(6), rows: 0...1),
                UploadTrace(batchID: two, position: position(7), rows: 0...0),
            ])
    }

    @Test func `a lane that is not traced keeps nothing`() {
        var lane = LaneRows(of: .batch, in: [.realtime])
        lane.append(.report, rows(3), rows: nil, of: BatchID(high: 1, low: 1))
        #expect(lane.traces(in: [block(1, .report, rows: 3)]).isEmpty)
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
