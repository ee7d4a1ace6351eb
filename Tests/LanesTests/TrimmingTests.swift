import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@Suite struct TrimmingTests {
    let database: ServiceDatabase
    let required = ReaderRegistration(name: "exporter")
    let optional = ReaderRegistration(name: "rewards", isRequired: false)

    init() throws { database = try ServiceDatabase(path: ":memory:", migrations: []) }

    private func journal(_ limits: LaneLimits, readers: [ReaderRegistration], blocks: Int) throws -> Journal {
        let journal = try Journal(lane: .batch, in: database, limits: limits, readers: readers)
        var encoder = ColumnEncoder()
        for number in 0..<blocks {
            _ = try database.write {
                try journal.append(
                    $0, kind: .report, columns: SampleRows.reports(20, from: Int64(number)), encoder: &encoder,
                    now: Int64(number))
            }
        }
        return journal
    }

    private func maintain(_ journal: Journal, _ said: [(ReaderRegistration, UInt64, Bool)] = [], now: Int64) throws
        -> JournalMaintenance
    {
        try database.write {
            try journal.maintain(
                $0, progress: said.map { ReaderProgress(reader: $0.0, committed: $0.1, isJoining: $0.2) }, now: now)
        }
    }

    private func numbers() throws -> [UInt64] {
        try Journal.read(lane: .batch, from: try database.reader(), after: 0).blocks.map(\.header.number)
    }

    @Test func `block stays until every reader is past it`() throws {
        let journal = try journal(
            LaneLimits(maximumBytes: 1 << 30, retention: 0), readers: [required, ReaderRegistration(name: "router")],
            blocks: 6)
        #expect(try maintain(journal, [(required, 6, false)], now: 100).trimmedBlocks == 0)
        #expect(try maintain(journal, [(ReaderRegistration(name: "router"), 4, false)], now: 100).trimmedBlocks == 4)
        #expect(try numbers() == [5, 6])
        #expect(journal.oldest == 5 && journal.head == 6)
        #expect(try Journal(lane: .batch, in: database).bytes == journal.bytes)
    }

    @Test func `block stays for its retention`() throws {
        let journal = try journal(LaneLimits(maximumBytes: 1 << 30, retention: 1_000), readers: [required], blocks: 6)
        #expect(try maintain(journal, [(required, 6, false)], now: 1_002).trimmedBlocks == 3)
        #expect(try numbers() == [4, 5, 6])
    }

    @Test func `retention gives way when room gets tight`() throws {
        let probe = try journal(LaneLimits(maximumBytes: 1 << 30), readers: [required], blocks: 6)
        let tight = try Journal(
            lane: .batch, in: database, limits: LaneLimits(maximumBytes: probe.bytes, retention: 1_000_000),
            readers: [required])
        #expect(tight.isFull)
        #expect(try maintain(tight, [(required, 5, false)], now: 10).trimmedBlocks == 5)
        #expect(!tight.isFull)
        #expect(try maintain(tight, [(required, 6, false)], now: 10).trimmedBlocks == 0)
    }

    @Test func `required reader holds blocks however far behind`() throws {
        let journal = try journal(
            LaneLimits(maximumBytes: 1_000, retention: 0, optionalReaderBytes: 0), readers: [required], blocks: 20)
        let done = try maintain(journal, now: 1_000_000)
        #expect(done.trimmedBlocks == 0 && done.detached.isEmpty && journal.isFull)
    }

    @Test func `optional reader is detached and joins again`() throws {
        let journal = try journal(
            LaneLimits(maximumBytes: 1 << 30, retention: 0, optionalReaderBytes: 300), readers: [required, optional],
            blocks: 20)
        let done = try maintain(journal, [(required, 20, false), (optional, 2, false)], now: 100)
        #expect(done.detached == ["rewards"] && done.trimmedBlocks == 20)
        #expect(journal.detachedReaders == ["rewards"])
        #expect(try Journal(lane: .batch, in: database).detachedReaders == ["rewards"])
        _ = try maintain(journal, [(optional, 20, false)], now: 101)
        #expect(journal.detachedReaders == ["rewards"])
        _ = try maintain(journal, [(optional, 20, true)], now: 102)
        #expect(journal.detachedReaders.isEmpty)
    }

    @Test func `round is bounded and says there is more`() throws {
        let journal = try journal(LaneLimits(maximumBytes: 1 << 30, retention: 0), readers: [required], blocks: 600)
        var rounds = 0
        var done = try maintain(journal, [(required, 600, false)], now: 10_000)
        while done.hasMore {
            #expect(done.trimmedBlocks <= 256)
            done = try maintain(journal, now: 10_000)
            rounds += 1
        }
        #expect(rounds == 2 && journal.bytes == 0)
        #expect(try numbers().isEmpty)
        #expect(try Journal(lane: .batch, in: database).head == 600)
    }

    @Test func `reader cannot claim more than the head`() throws {
        let journal = try journal(LaneLimits(maximumBytes: 1 << 30, retention: 0), readers: [required], blocks: 3)
        _ = try maintain(journal, [(required, 999, false)], now: 10)
        #expect(journal.readers["exporter"]?.committed == 3)
    }

    @Test func `journal is full without ballast and maintenance takes it again`() throws {
        let directory = try TemporaryDirectory()
        let database = try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: [], options: DatabaseOptions(ballastBytes: 65_536))
        let journal = try Journal(lane: .batch, in: database)
        #expect(!journal.isFull)
        database.ballast?.release()
        #expect(journal.isFull)
        try database.write { _ = try journal.maintain($0, now: 1) }
        #expect(!journal.isFull)
    }

    @Test func `removed reader holds nothing`() throws {
        let journal = try journal(LaneLimits(maximumBytes: 1 << 30, retention: 0), readers: [required], blocks: 3)
        try database.write { try journal.remove(reader: "exporter", $0) }
        #expect(try maintain(journal, now: 10).trimmedBlocks == 3)
    }
}
