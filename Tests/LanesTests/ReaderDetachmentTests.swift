import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@Suite struct ReaderDetachmentTests {
    private let database: ServiceDatabase
    private let journal: Journal

    init() throws {
        database = try ServiceDatabase(path: ":memory:", migrations: [])
        journal = try Journal(
            lane: .batch, in: database, limits: LaneLimits(maximumBytes: 1 << 30, retention: 0),
            readers: [
                ReaderRegistration(name: "exporter"), ReaderRegistration(name: "rewards", isRequired: false),
            ])
        var encoder = ColumnEncoder()
        for number in Int64(0)..<4 {
            _ = try database.write {
                try journal.append(
                    $0, kind: .report, columns: SampleRows.reports(3, from: number), encoder: &encoder, now: number)
            }
        }
    }

    private func detach(_ reader: String, lane: LaneName = .batch, force: Bool = false) throws -> ReaderStanding {
        try ReaderDetachment(lane: lane, reader: reader, force: force).perform(on: [journal], in: database)
    }

    private func trimmed(_ exporter: UInt64, now: Int64 = 100) throws -> Int {
        try database.write {
            try journal.maintain(
                $0,
                progress: [
                    ReaderProgress(reader: ReaderRegistration(name: "exporter"), committed: exporter, isJoining: false)
                ], now: now
            ).trimmedBlocks
        }
    }

    @Test func `optional reader is detached and holds nothing`() throws {
        #expect(try trimmed(4) == 0)
        let standing = try detach("rewards")
        #expect(standing.detached && !standing.required && standing.behind == 4 && standing.head == 4)
        #expect(try detach("rewards") == standing)
        #expect(try trimmed(4) == 4)
        #expect(try Journal(lane: .batch, in: database).detachedReaders == ["rewards"])
    }

    @Test func `required reader needs force and is told what it means`() throws {
        let refusal = #expect(throws: ReaderRefusal.self) { try detach("exporter") }
        #expect(refusal?.description.contains("--force") == true)
        #expect(refusal?.description.contains("4 blocks behind") == true)
        #expect(journal.detachedReaders.isEmpty)
        #expect(try detach("exporter", force: true).detached)
        // It stays so over a restart, also if the service registers it again.
        let again = try Journal(lane: .batch, in: database, readers: [ReaderRegistration(name: "exporter")])
        #expect(again.detachedReaders == ["exporter"])
    }

    @Test func `unknown readers and lanes are named with those there are`() {
        let reader = #expect(throws: ReaderRefusal.self) { try detach("nobody") }
        #expect(reader == .unknown(reader: "nobody", lane: .batch, known: ["exporter", "rewards"]))
        let lane = #expect(throws: ReaderRefusal.self) { try detach("exporter", lane: .alerts) }
        #expect(lane == .notWritten(lane: .alerts, written: [.batch]))
    }

    @Test func `what the writer is asked is done or refused`() async throws {
        let requests = WriterRequests<[Int]> {}
        let writer = Task {
            while !Task.isCancelled {
                requests.run(on: [1, 2, 3])
                await Task.yield()
            }
        }
        let count = try await requests.perform { $0.count }
        #expect(count == 3)
        await #expect(throws: ReaderRefusal.self) {
            try await requests.perform { _ in throw ReaderRefusal.notWritten(lane: .batch, written: []) }
        }
        writer.cancel()
        await writer.value
        requests.close()
        await #expect(throws: WriterRefusal.stopped) { try await requests.perform { $0.count } }
    }
}
