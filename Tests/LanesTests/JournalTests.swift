import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@Suite struct JournalTests {
    let database: ServiceDatabase

    init() throws { database = try ServiceDatabase(path: ":memory:", migrations: []) }

    private func append(_ journal: Journal, _ columns: Columns, kind: RecordKind = .report, now: Int64 = 1) throws
        -> [Block]
    {
        var encoder = ColumnEncoder()
        return try database.write { try journal.append($0, kind: kind, columns: columns, encoder: &encoder, now: now) }
    }

    private func read(_ lane: LaneName = .batch, after: UInt64 = 0, kinds: Set<UInt8>? = nil, bytes: Int = 1 << 30)
        throws -> JournalPage
    {
        try Journal.read(
            lane: lane, from: try database.reader(), after: after, kinds: kinds,
            limit: .init(blocks: 1_000, bytes: bytes))
    }

    @Test func `blocks are read as they were appended`() throws {
        let journal = try Journal(lane: .batch, in: database)
        let first = try append(journal, SampleRows.reports(10), now: 5)
        let second = try append(journal, SampleRows.reports(4, from: 11), now: 6)
        let page = try read()
        #expect(page.blocks == first + second)
        #expect(page.blocks.map(\.header.number) == [1, 2])
        #expect(page.blocks.map(\.header.previous) == [0, 1])
        #expect(page.blocks.map(\.header.committedAt) == [5, 6])
        #expect(page.blocks[0].header.subjects == [1, 2, 3])
        #expect(page.generation == journal.generation && page.head == 2 && page.through == 2)
        #expect(try SampleRows.sequence(page.blocks) == Array(1...14))
        #expect(try read(after: 1).blocks == second)
    }

    @Test func `nothing is appended for no rows`() throws {
        let journal = try Journal(lane: .batch, in: database)
        #expect(try append(journal, SampleRows.reports(0)).isEmpty)
        #expect(journal.head == 0)
    }

    @Test func `many rows are split into blocks within the limits`() throws {
        let journal = try Journal(lane: .batch, in: database)
        let blocks =
            try append(journal, SampleRows.reports(20_000)) + append(journal, SampleRows.reports(10_000, from: 20_001))
        #expect(blocks.allSatisfy { $0.header.rowCount <= 4_096 && $0.payload.count <= 65_536 })
        #expect(try SampleRows.sequence(try read().blocks) == Array(1...30_000))
    }

    @Test func `long rows are split by bytes`() throws {
        let journal = try Journal(lane: .alerts, in: database)
        var random = SplitMix64(seed: 1)
        let records = (0..<60).map { number in
            (
                key: "\(number)",
                text: String((0..<9_000).map { _ in Character(UnicodeScalar(33 + UInt8(random.below(90)))) }) as String?
            )
        }
        let blocks = try append(journal, SampleRows.states(records), kind: .alarm)
        #expect(blocks.count > 5)
        #expect(blocks.allSatisfy { $0.payload.count <= 65_536 })
        #expect(blocks.map(\.header.rowCount).reduce(0, +) == 60)
    }

    @Test func `rolled back blocks never were`() throws {
        struct Crash: Error {}
        let journal = try Journal(lane: .batch, in: database)
        _ = try append(journal, SampleRows.reports(3))
        let before = (journal.head, journal.bytes)
        var encoder = ColumnEncoder()
        #expect(throws: Crash.self) {
            try database.write { db in
                _ = try journal.append(db, kind: .report, columns: SampleRows.reports(5), encoder: &encoder, now: 2)
                throw Crash()
            }
        }
        #expect((journal.head, journal.bytes) == before)
        _ = try append(journal, SampleRows.reports(2, from: 4))
        #expect(try SampleRows.sequence(try read().blocks) == [1, 2, 3, 4, 5])
        #expect(try read().blocks.map(\.header.number) == [1, 2])
    }

    @Test func `journal goes on where it was`() throws {
        let first = try Journal(lane: .batch, in: database)
        _ = try append(first, SampleRows.reports(3))
        let second = try Journal(lane: .batch, in: database)
        #expect(second.generation == first.generation && second.head == 1 && second.bytes == first.bytes)
        #expect(try append(second, SampleRows.reports(1))[0].header.number == 2)
    }

    @Test func `reads only the kinds asked for`() throws {
        let journal = try Journal(lane: .batch, in: database)
        _ = try append(journal, SampleRows.reports(1))
        _ = try append(journal, SampleRows.reports(1, from: 2), kind: .feedback)
        _ = try append(journal, SampleRows.reports(1, from: 3))
        let page = try read(kinds: [RecordKind.feedback.id])
        #expect(try SampleRows.sequence(page.blocks) == [2])
        #expect(page.through == 3)
    }

    @Test func `page never exceeds its limit`() throws {
        let journal = try Journal(lane: .batch, in: database)
        let blocks = try (0..<5).flatMap { _ in try append(journal, SampleRows.reports(100)) }
        let page = try read(bytes: blocks[0].size + blocks[1].size + 1)
        #expect(page.blocks.count == 2 && page.through == 2 && page.waitingBytes == blocks[2].size)
        let none = try read(bytes: blocks[0].size - 1)
        #expect(none.blocks.isEmpty && none.through == 0 && none.waitingBytes == blocks[0].size)
    }

    @Test func `new generation is on every block`() throws {
        let journal = try Journal(lane: .batch, in: database)
        _ = try append(journal, SampleRows.reports(1))
        let old = journal.generation
        try database.write { try journal.renewGeneration($0) }
        #expect(journal.generation != old && journal.generation != 0)
        #expect(try read().blocks.allSatisfy { $0.header.generation == journal.generation })
        #expect(try Journal(lane: .batch, in: database).generation == journal.generation)
    }

    @Test func `newer journal format is refused`() throws {
        _ = try Journal(lane: .batch, in: database)
        try database.write { try $0.execute(sql: "UPDATE lane_batch_state SET format = 9") }
        #expect(throws: LaneError.newerJournal(lane: .batch, format: 9, known: 1)) {
            try Journal(lane: .batch, in: database)
        }
    }

    @Test func `full journal says so and still takes blocks`() throws {
        let journal = try Journal(lane: .batch, in: database, limits: LaneLimits(maximumBytes: 500))
        #expect(!journal.isFull)
        try journal.throwIfFull()
        while !journal.isFull { _ = try append(journal, SampleRows.reports(50)) }
        #expect(journal.bytes >= 500)
        #expect(throws: LaneError.journalFull(lane: .batch, bytes: journal.bytes, limit: 500)) {
            try journal.throwIfFull()
        }
        #expect(try append(journal, SampleRows.reports(1)).count == 1)
    }

    @Test func `summary tells what the journal holds`() throws {
        let journal = try Journal(
            lane: .batch, in: database,
            readers: [ReaderRegistration(name: "exporter"), ReaderRegistration(name: "rewards", isRequired: false)])
        _ = try append(journal, SampleRows.reports(7))
        let summary = try #require(try JournalSummary(lane: .batch, from: try database.reader()))
        #expect(summary.head == 1 && summary.bytes == journal.bytes && summary.generation == journal.generation)
        #expect(summary.readers.map(\.name) == ["exporter", "rewards"])
        #expect(summary.readers.map(\.isRequired) == [true, false])
        #expect(try JournalSummary(lane: .realtime, from: try database.reader()) == nil)
    }
}
