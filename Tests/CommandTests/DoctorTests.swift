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

struct DoctorTests {
    private let now: UnixMilliseconds = 1_750_000_000_000
    private let folder = ScratchFolder()
    private let home: Home

    init() throws {
        home = Home(path: folder.path + "/home")
        for service in ServiceName.built { try home.prepare(for: service, timeZone: "Africa/Douala") }
    }

    /// A lane with blocks, written as a service writes it, sealed by the service's key.
    private func write(_ blocks: Int, lane: LaneName, of service: ServiceName, at time: UnixMilliseconds) throws {
        let database = try ServiceDatabase(path: home.database(of: service), migrations: [])
        defer { try? database.close() }
        let sealer = try KeyStore(directory: home.keys).blockSealer(service: service.rawValue)
        let journal = try Journal(lane: lane, in: database, sealer: sealer)
        var encoder = ColumnEncoder()
        for _ in 0..<blocks {
            _ = try database.write { db in
                try journal.append(
                    db, kind: .report, columns: Columns(rowCount: 1, columns: []), encoder: &encoder, now: time)
            }
        }
    }

    private func read(_ block: UInt64, generation: UInt64, lane: LaneName, by service: ServiceName) throws {
        let database = try ServiceDatabase(path: home.database(of: service), migrations: [])
        defer { try? database.close() }
        try database.write { db in
            try Cursor.createTable(db)
            try Cursor.write(Position(lane: lane, generation: generation, block: block), db)
        }
    }

    private func generation(_ lane: LaneName) throws -> UInt64 {
        try #require(examine().lanes.first { $0.lane == lane.rawValue }.flatMap { UInt64($0.generation) })
    }

    private func examine() -> DoctorReport { DoctorCommand.examine(home, now: now) }

    private func problems() -> [String] {
        examine().findings.filter { $0.state == .problem }.map { "\($0.subject): \($0.sentence)" }
    }

    @Test func `in a home of one service nothing is said of the others but what its lanes know`() throws {
        let apart = Home(path: folder.path + "/apart")
        try apart.prepare(for: .ingest, timeZone: "Africa/Douala")
        let lock = try HomeLock(apart, of: .ingest)
        let findings = DoctorCommand.examine(apart, services: [.ingest], now: now).findings
        #expect(findings.contains { $0.subject == "nkul-ingest" })
        let others = ServiceName.built.filter { $0 != .ingest }.map(\.executable)
        #expect(!findings.contains { others.contains($0.subject) || $0.subject == "retention" })
        let all = DoctorCommand.examine(apart, now: now).findings
        #expect(all.contains { $0.subject == "nkul-alert-router" && $0.sentence.contains("while others are") })
        withExtendedLifetime(lock) {}
    }

    @Test func `a fresh home is sound`() {
        #expect(problems() == [])
        #expect(examine().sound)
    }

    @Test func `heads, cursors and lag are told`() throws {
        try write(5, lane: .batch, of: .ingest, at: now)
        try read(3, generation: try generation(.batch), lane: .batch, by: .batchAggregator)
        let lane = try #require(examine().lanes.first { $0.lane == "batch" })
        #expect(lane.head == 5 && lane.writer == "ingest")
        let reader = try #require(lane.readers.first)
        #expect(lane.readers.count == 1 && reader.service == "batch-aggregator" && reader.block == 3)
        #expect(reader.behind == 2 && reader.behindSeconds == 0)
        #expect(problems() == [])
        #expect(examine().text.contains("2 blocks, 0 s behind"))
    }

    @Test func `a reader ahead of the head is a problem`() throws {
        try write(2, lane: .batch, of: .ingest, at: now)
        try read(3, generation: try generation(.batch), lane: .batch, by: .batchAggregator)
        #expect(problems().contains { $0.contains("batch-aggregator") && $0.contains("ahead of the head 2") })
    }

    @Test func `a reader of another generation is a problem`() throws {
        try write(2, lane: .batch, of: .ingest, at: now)
        try read(1, generation: try generation(.batch) ^ 1, lane: .batch, by: .batchAggregator)
        #expect(problems().contains { $0.contains("batch-aggregator") && $0.contains("generation") })
    }

    @Test func `a damaged database is a problem that names it`() throws {
        try write(50, lane: .batch, of: .ingest, at: now)
        let path = home.database(of: .ingest)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 4_096)
        file.write(Data(repeating: 0x5a, count: 8_192))
        try file.close()
        #expect(problems().contains { $0.hasPrefix(path) })
        #expect(!examine().sound)
    }

    @Test func `a damaged block is a problem of its lane`() throws {
        try write(3, lane: .batch, of: .ingest, at: now)
        let database = try ServiceDatabase(path: home.database(of: .ingest), migrations: [])
        try database.write { try $0.execute(sql: "UPDATE lane_batch_blocks SET payload = x'00' WHERE number = 2") }
        try database.close()
        #expect(problems().contains { $0.hasPrefix("lane batch: head 3; one of its newest blocks cannot be read") })
    }

    @Test func `a newer home is a problem`() throws {
        try SmallFile.replace(home.versionFile, with: "99\n")
        #expect(problems().contains { $0.contains("newer home (version 99") })
    }

    @Test func `secrets that others may read are a problem`() throws {
        try SmallFile.write("secret", to: home.keys + "/regulator.token")
        #expect(problems() == [])
        chmod(home.keys + "/regulator.token", 0o644)
        #expect(problems().contains { $0.contains("regulator.token") && $0.contains("644") })
    }

    @Test func `a clock behind the newest block is a problem`() throws {
        try write(1, lane: .batch, of: .ingest, at: now + 60_000)
        #expect(problems().contains { $0.contains("gone back 60 s") })
        #expect(DoctorClock.finding(now: 0, newest: nil).state == .problem)
    }

    @Test func `little room is a warning, none a problem`() {
        let doctor = DoctorHome(home: home)
        #expect(doctor.disk(freeBytes: 10_000_000_000).state == .sound)
        #expect(doctor.disk(freeBytes: 1_000_000_000).state == .warning)
        #expect(doctor.disk(freeBytes: 100_000_000).state == .problem)
    }

    @Test func `a service that starts is a warning, one that was killed is none`() throws {
        try SmallFile.replace(home.recordFile(of: .ingest), with: "{}")
        #expect(examine().findings.contains { $0.subject == "nkul-ingest" && $0.state == .sound })
        let lock = try HomeLock(home, of: .ingest)
        #expect(examine().findings.contains { $0.subject == "nkul-ingest" && $0.state == .warning })
        withExtendedLifetime(lock) {}
    }

    @Test func `reasons of a service that is not ready are handed on`() {
        let body =
            #"{"ready":false,"conditions":[{"name":"a","ready":true},{"name":"lanes","ready":false,"problem":"behind"}]}"#
        #expect(DoctorServices.problems(in: body) == "lanes: behind")
    }

    @Test func `doctor changes nothing`() throws {
        try write(3, lane: .batch, of: .ingest, at: now)
        let before = try contents()
        _ = examine()
        #expect(try contents() == before)
    }

    private func contents() throws -> [String: Data] {
        let names = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        let files = names.filter { $0.hasSuffix(".sqlite") || !$0.contains("sqlite") }
        return try files.reduce(into: [:]) { result, name in
            var isDirectory: ObjCBool = false
            let path = home.path + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
                return
            }
            result[name] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }
}
