import Foundation
import GRDB
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Testing
import Wire

@testable import Administration

/// What `nkul doctor` says of readers and room, and what it advises.
struct DoctorReaderTests {
    private let now: UnixMilliseconds = 1_750_000_000_000
    private let folder = ScratchFolder()
    private let home: Home

    init() throws {
        home = Home(path: folder.path + "/home")
        for service in ServiceName.built { try home.prepare(for: service, timeZone: "Africa/Douala") }
    }

    /// Ingest's batch lane with blocks of different ages and readers that said something of themselves.
    private func write(ages: [Int64], readers: [ReaderProgress] = [], limits: LaneLimits? = nil) throws {
        let database = try ServiceDatabase(path: home.database(of: .ingest), migrations: [])
        defer { try? database.close() }
        let journal = try Journal(
            lane: .batch, in: database, limits: limits, readers: readers.map(\.reader),
            sealer: try KeyStore(directory: home.keys).blockSealer(service: ServiceName.ingest.rawValue))
        var encoder = ColumnEncoder()
        for age in ages {
            _ = try database.write { db in
                try journal.append(
                    db, kind: .report, columns: Columns(rowCount: 1, columns: []), encoder: &encoder, now: now - age)
            }
        }
        try database.write { db in _ = try journal.maintain(db, progress: readers, now: now) }
    }

    private func said(_ name: String, required: Bool, committed: UInt64) -> ReaderProgress {
        ReaderProgress(
            reader: ReaderRegistration(name: name, isRequired: required), committed: committed, isJoining: false)
    }

    private func examine(limit: Int? = nil) -> DoctorReport {
        DoctorCommand.examine(home, now: now) { limit ?? LaneLimits.standard(for: $0).maximumBytes }
    }

    private func finding(_ subject: String, _ report: DoctorReport) -> DoctorFinding? {
        report.findings.first { $0.subject == subject }
    }

    @Test func `lag of a reader is told in blocks and seconds, in text and in JSON`() throws {
        try write(ages: [9_000, 5_000, 3_000], readers: [said("batch-aggregator", required: true, committed: 1)])
        let report = examine()
        let found = try #require(finding("lane batch → batch-aggregator", report))
        #expect(found == .sound("lane batch → batch-aggregator", "2 blocks, 5 s behind."))
        let reader = try #require(report.lanes.first { $0.lane == "batch" }?.readers.first)
        #expect(reader.behind == 2 && reader.behindSeconds == 5 && reader.required && !reader.detached)
        #expect(report.json.contains(#""behind_seconds":5"#))
    }

    @Test func `a reader that is far behind is a warning that says what to do, by whether it runs`() throws {
        try write(ages: [7_200_000, 300_000, 0], readers: [said("batch-aggregator", required: true, committed: 1)])
        let stopped = try #require(finding("lane batch → batch-aggregator", examine()))
        #expect(stopped.state == .warning)
        #expect(stopped.sentence.hasPrefix("far behind: 2 blocks, 5 min; it is not running, start it with"))
        let lock = try HomeLock(home, of: .batchAggregator)
        let running = try #require(finding("lane batch → batch-aggregator", examine()))
        #expect(running.state == .warning && running.sentence.contains("it runs, so watch whether this shrinks"))
        withExtendedLifetime(lock) {}
        #expect(examine().sound, "lag is no damage")
    }

    @Test func `a detached reader is a warning that says where it joins again`() throws {
        try write(
            ages: [5_000, 4_000, 3_000], readers: [said("reward-dispatcher", required: false, committed: 1)],
            limits: LaneLimits(maximumBytes: 1_000_000, optionalReaderBytes: 1))
        let found = try #require(finding("lane batch → reward-dispatcher", examine()))
        #expect(found.state == .warning && found.sentence.contains("(now 2 blocks, 4 s): it holds nothing back"))
        #expect(found.sentence.contains("start it with \"nkul up\" and it joins again at block 2"))
    }

    @Test func `a required reader that never read is a warning`() throws {
        try write(ages: [5_000, 4_000], readers: [said("analytics-exporter", required: true, committed: 0)])
        let found = try #require(finding("lane batch → analytics-exporter", examine()))
        #expect(found.state == .warning && found.sentence.hasPrefix("has never read, and 2 blocks wait for it"))
    }

    @Test func `a journal that fills names the reader it keeps blocks for; a full one is a problem`() throws {
        try write(
            ages: [5_000, 4_000],
            readers: [
                said("batch-aggregator", required: true, committed: 2),
                said("analytics-exporter", required: true, committed: 1),
            ])
        let bytes = try #require(examine().lanes.first { $0.lane == "batch" }).bytes
        func room(_ limit: Int) -> DoctorFinding? {
            examine(limit: limit).findings.first { $0.subject == "lane batch" && $0.sentence.contains("full") }
        }
        #expect(room(bytes * 2) == nil)
        let filling = try #require(room(bytes * 5 / 4))
        #expect(filling.state == .warning && filling.sentence.contains("three quarters full"))
        #expect(filling.sentence.contains("blocks are kept for analytics-exporter, 1 behind; start it"))
        let full = try #require(room(bytes))
        #expect(full.state == .problem && full.sentence.contains("NKUL_LANE_BATCH_BYTES"))
        #expect(!examine(limit: bytes).sound)
    }

    @Test func `a cursor ahead of the head says how to mend it`() throws {
        try write(ages: [5_000])
        let generation = try #require(examine().lanes.first { $0.lane == "batch" }?.generation)
        let database = try ServiceDatabase(path: home.database(of: .batchAggregator), migrations: [])
        try database.write { db in
            try Cursor.createTable(db)
            try Cursor.write(Position(lane: .batch, generation: try #require(UInt64(generation)), block: 9), db)
        }
        try database.close()
        let found = try #require(finding("lane batch → batch-aggregator", examine()))
        #expect(found.state == .problem && found.sentence.contains("ahead of the head 1"))
        #expect(found.sentence.contains("move \(home.path)/batch-aggregator away, and it reads again from block 1"))
    }

    @Test func `a cursor in a file of its own is found, and only that file is to be moved away`() throws {
        let dispatcher = try ServiceDatabase(path: home.database(of: .rewardDispatcher), migrations: [])
        let journal = try Journal(
            lane: .rewards, in: dispatcher,
            sealer: try KeyStore(directory: home.keys).blockSealer(service: ServiceName.rewardDispatcher.rawValue))
        var encoder = ColumnEncoder()
        let empty = Columns(rowCount: 1, columns: [])
        _ = try dispatcher.write {
            try journal.append($0, kind: .grant, columns: empty, encoder: &encoder, now: now - 5_000)
        }
        let path = home.directory(of: .ingest) + "/copies.sqlite"
        let copies = try ServiceDatabase(path: path, migrations: [])
        func move(to block: UInt64) throws {
            try copies.write { db in
                try Cursor.createTable(db)
                try Cursor.write(Position(lane: .rewards, generation: journal.generation, block: block), db)
            }
        }
        try write(ages: [])
        try move(to: 1)
        #expect(finding("lane rewards → ingest", examine())?.state == .sound)
        try move(to: 9)
        let found = try #require(finding("lane rewards → ingest", examine()))
        #expect(found.state == .problem && found.sentence.contains("move \(path)* away"))
        try copies.close()
        try dispatcher.close()
    }

    @Test func `a service that is down while others run is a warning; all down is none`() throws {
        func states() -> Set<DoctorFinding.State> {
            Set(examine().findings.filter { $0.subject == "nkul-alert-router" }.map(\.state))
        }
        #expect(states() == [.sound])
        let lock = try HomeLock(home, of: .ingest)
        #expect(states() == [.warning])
        withExtendedLifetime(lock) {}
    }

    @Test func `durations are told in the unit that suits them`() {
        #expect(
            [0, 119_999, 120_000, 7_199_000, 7_200_000, 200_000_000].map { DoctorReader.text(milliseconds: $0) }
                == ["0 s", "119 s", "2 min", "119 min", "2 h", "2 d"])
    }
}
