import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@Suite struct JournalFiguresTests {
    private let database: ServiceDatabase
    private let journal: Journal
    private let start: UnixMilliseconds = 1_750_000_000_000

    init() throws {
        database = try ServiceDatabase(path: ":memory:", migrations: [])
        journal = try Journal(
            lane: .batch, in: database, limits: LaneLimits(maximumBytes: 100_000, optionalReaderBytes: 100),
            readers: [
                ReaderRegistration(name: "aggregator"), ReaderRegistration(name: "rewards", isRequired: false),
            ])
    }

    /// Blocks 1 …, one a second.
    private func append(_ blocks: Int) throws {
        var encoder = ColumnEncoder()
        for block in 0..<blocks {
            _ = try database.write { db in
                try journal.append(
                    db, kind: .report, columns: SampleRows.reports(20), encoder: &encoder,
                    now: start + Int64(block) * 1_000)
            }
        }
    }

    private func maintain(_ reader: String, committed: UInt64, required: Bool) throws {
        let said = ReaderProgress(
            reader: ReaderRegistration(name: reader, isRequired: required), committed: committed, isJoining: false)
        try database.write { db in _ = try journal.maintain(db, progress: [said], now: start + 5_000) }
    }

    private func figures(at time: UnixMilliseconds) throws -> JournalFigures {
        try database.read { db in try journal.figures(db, now: time) }
    }

    @Test func `an empty journal has readers that are behind nothing`() throws {
        let figures = try figures(at: start)
        #expect(figures.head == 0 && figures.bytes == 0 && figures.limitBytes == 100_000 && !figures.isFull)
        #expect(figures.readers.map(\.lagBlocks) == [0, 0] && figures.readers.map(\.lagMilliseconds) == [0, 0])
    }

    @Test func `lag counts blocks after the cursor and the age of the first of them`() throws {
        try append(5)
        try maintain("aggregator", committed: 2, required: true)
        let reader = try #require(figures(at: start + 10_000).readers.first)
        #expect(reader.reader.name == "aggregator" && reader.reader.committed == 2)
        #expect(reader.lagBlocks == 3)
        #expect(reader.lagMilliseconds == 8_000, "block 3 was committed 2 s after the start")
        try maintain("aggregator", committed: 5, required: true)
        let later = try #require(figures(at: start + 99_000).readers.first)
        #expect(later.lagBlocks == 0 && later.lagMilliseconds == 0)
    }

    @Test func `a clock that went back makes no negative lag`() throws {
        try append(1)
        #expect(try figures(at: start - 60_000).readers.allSatisfy { $0.lagMilliseconds == 0 && $0.lagBlocks == 1 })
    }

    @Test func `an optional reader that is too far behind is shown detached`() throws {
        try append(5)
        try maintain("rewards", committed: 1, required: false)
        let reader = try #require(figures(at: start).readers.last)
        #expect(reader.reader.isDetached && !reader.reader.isRequired && reader.lagBlocks == 4)
    }
}
