import ArgumentParser
import Foundation
import GRDB
import Lanes
import Models
import ServiceKit
import Storage
import SubjectRights
import Testing

@testable import Administration
@testable import Command

struct RestoreTests {
    private let bench = try! BackupBench()

    private func content(_ home: Home, _ path: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: "\(home.path)/\(path)") ?? Data())
    }

    @Test func `a restored home has the databases, the keys and whatever else lay in the services' folders`() throws {
        try bench.append(20)
        try bench.read(through: 12)
        try SmallFile.write("kept", to: bench.home.directory(of: .ingest) + "/notes.txt")
        let (outcome, home) = try bench.restore(bench.back(up: "b"))
        #expect(outcome.files == 6 && outcome.orders_since == 0)
        #expect(content(home, "ingest/notes.txt") == Array("kept".utf8))
        #expect(content(home, "keys/ingest.suppression.key") == [UInt8](1...32))
        #expect(content(home, "version") == content(bench.home, "version"))
        let ingest = try ReadOnlyDatabase(path: home.database(of: .ingest))
        let summary = try #require(try JournalSummary(lane: .batch, from: ingest))
        #expect(summary.head == 20 && summary.generation == 77)
        let restoration = try #require(try home.restoration())
        let lane = try #require(restoration.lanes.first)
        #expect(lane.oldGeneration == 77 && lane.head == 20 && lane.generation != 77 && lane.generation != 0)
        #expect(restoration.readers == [.init(lane: .batch, reader: "analytics-exporter", block: 12)])
        #expect(restoration.backedUpAt == BackupBench.now)
        #expect(try home.restoration()?.id == outcome.id)
        let modes = try ["", "/keys", "/keys/ingest.suppression.key", "/ingest/state.sqlite"].map {
            try FileManager.default.attributesOfItem(atPath: home.path + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o700, 0o600, 0o600])
    }

    @Test func `what is made anew or belongs to a process stays out`() throws {
        try bench.append()
        let copies = try ServiceDatabase(path: bench.home.directory(of: .ingest) + "/copies.sqlite", migrations: [])
        for name in ["ingest/state.sqlite.ballast", "run/ingest.lock", "log/x", "replay/y", "elsewhere"] {
            try SmallFile.write("x", to: "\(bench.home.path)/\(name)")
        }
        let (_, home) = try bench.restore(bench.back(up: "b"))
        let files = Set(FileManager.default.enumerator(atPath: home.path)!.compactMap { $0 as? String })
        let expected: Set<String> = [
            "version", "time-zone", "keys", "keys/ingest.suppression.key", "ingest", "ingest/state.sqlite",
            "analytics-exporter", "analytics-exporter/state.sqlite", "restored.json",
        ]
        #expect(Set(files.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }) == expected)
        try copies.close()
    }

    /// Flipped bits, cut files, swapped chunks, appended bytes, missing pieces, blocks of zeros.
    @Test func `a thousand random damages are all found before there is anything of a home`() throws {
        try bench.append(20, bytes: 500)
        let whole = Array(FileManager.default.contents(atPath: try bench.back(up: "b"))!)
        _ = try bench.restore("\(bench.folder.path)/b", to: "sound")
        let before = try bench.names() + ["damaged"]
        for seed in 0..<1_000 as Range<UInt64> {
            let path = bench.folder.write("damaged", BackupDamage.apply(seed, to: whole))
            #expect(throws: BackupError.self, "seed \(seed)") { try bench.restore(path) }
            if try bench.names() != before.sorted() { Issue.record("seed \(seed) left \(try bench.names())"); break }
        }
    }

    @Test func `a backup whose reader is ahead of its lane is refused`() throws {
        let lane = BackupManifest.Lane(lane: .batch, writer: "ingest", generation: 7, oldest: 1, head: 5)
        func fault(_ block: UInt64, generation: UInt64 = 7, lanes: [BackupManifest.Lane]? = nil) -> String? {
            let cursor = BackupManifest.Cursor(
                lane: .batch, reader: "analytics-exporter", generation: generation, block: block, isAwaited: true)
            return BackupManifest(createdAt: 0, lanes: lanes ?? [lane], cursors: [cursor], files: []).fault
        }
        #expect(fault(5) == nil)
        #expect(fault(6)?.contains("up to block 6, and its journal ends at 5") == true)
        #expect(fault(5, generation: 8)?.contains("another generation") == true)
        #expect(fault(5, lanes: [])?.contains("not in this home") == true)
        let trimmed = BackupManifest.Lane(lane: .batch, writer: "ingest", generation: 7, oldest: 5, head: 9)
        #expect(fault(3, lanes: [trimmed])?.contains("begins at 5") == true)
        #expect(fault(4, lanes: [trimmed]) == nil)
        // As it would come to a restore: sealed, and not valid all the same.
        let bad = BackupManifest(
            createdAt: 0, lanes: [lane],
            cursors: [.init(lane: .batch, reader: "x", generation: 7, block: 6, isAwaited: true)], files: [])
        let path = bench.folder.path + "/bad"
        try BackupWriter(path: path, to: bench.recipient, bad).finish()
        #expect(throws: BackupError.self) { try bench.restore(path) }
        #expect(!FileManager.default.fileExists(atPath: bench.folder.path + "/new"))
    }

    @Test(arguments: ["/etc/passwd", "../x", "a/../../x", "", "a//b", "./a"])
    func `a path that leads out of the home is refused`(path: String) {
        let manifest = BackupManifest(
            createdAt: 0, lanes: [], cursors: [], files: [.init(path: path, bytes: 1, isDatabase: false)])
        #expect(manifest.fault != nil)
    }

    @Test func `a home of a newer version is refused`() throws {
        var manifest = BackupManifest(createdAt: 0, lanes: [], cursors: [], files: [])
        manifest.homeVersion = Home.currentVersion + 1
        let path = bench.folder.path + "/newer"
        try BackupWriter(path: path, to: bench.recipient, manifest).finish()
        let error = try #require(throws: BackupError.self) { try bench.restore(path) }
        #expect(error.message.contains("version \(Home.currentVersion + 1)"))
    }

    @Test func `a home that has anything in it stays as it is`() throws {
        try bench.append()
        let file = try bench.back(up: "b")
        #expect(throws: ServiceError.self) { try bench.restore(file, to: "home") }
        try FileManager.default.createDirectory(atPath: bench.folder.path + "/new", withIntermediateDirectories: false)
        _ = try bench.restore(file)
    }

    @Test func `a restore that is interrupted leaves nothing, and what one that was killed left is taken away`() throws
    {
        try bench.append()
        let file = try bench.back(up: "b")
        let home = Home(path: bench.folder.path + "/new")
        let run = RestoreRun(file: file, home: home, identity: bench.identity, orders: .none, now: 0)
        let interrupt = Interrupt()
        interrupt.raise()
        let before = try bench.names()
        #expect(throws: Interrupt.Raised.self) { try run.run(interrupt) }
        #expect(try bench.names() == before)
        try FileManager.default.createDirectory(atPath: home.path + ".partial", withIntermediateDirectories: false)
        #expect(throws: ServiceError.self, "somebody else's") { try run.run(Interrupt()) }
        bench.folder.write("new.partial/.nkul-restore", "")
        bench.folder.write("new.partial/left", "")
        _ = try run.run(Interrupt())
        #expect(!FileManager.default.fileExists(atPath: home.path + ".partial"))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/left"))
    }

    private func order(
        _ request: String, _ device: UInt8, _ scope: ErasureScope = .everything
    ) -> ErasureOrderDocument {
        let key = SuppressionKey(secret: [UInt8](1...32))
        let subject = ErasureSubjectDocument(
            request: request, subject: Hexadecimal.text(key.mark(ofDevice: [UInt8](repeating: device, count: 16))),
            scope: scope, barriers: [])
        return ErasureOrderDocument(
            ErasureRequestDocument(subject: subject, requestedAt: 1, dueAt: 2, source: .device))
    }

    private func enrol(_ devices: ClosedRange<UInt8>) throws {
        try bench.ingest.write { db in
            for device in devices {
                try db.execute(sql: "INSERT INTO devices VALUES (?)", arguments: [Int(device)])
                try db.execute(
                    sql: "INSERT INTO device_names VALUES (?, ?)",
                    arguments: [Int(device), Data(repeating: device, count: 16)])
            }
        }
    }

    @Test func `orders since the backup are handed to ingest, those that erase one of its devices are awaited`() throws
    {
        try bench.append()
        try enrol(1...5)
        try bench.ingest.write {
            try $0.execute(sql: "INSERT INTO erasure_requests VALUES ('known', '{}')")
        }
        let file = try bench.back(up: "b")
        let part = ErasureScope(from: nil, to: 5, cells: nil, requestedAt: 5)
        let list = ErasureOrderList(
            [order("known", 1), order("a", 2), order("b", 99), order("c", 3, part)], exportedAt: 3)
        let orders = bench.folder.write("orders.json", try SortedJSON.bytes(of: list))
        let (outcome, home) = try bench.restore(file, .file(orders))
        #expect(outcome.orders_since == 3 && outcome.erased_again == 2)
        #expect(try home.restoration()?.awaitedErasures == ["a"])
        let handed = try JSONDecoder().decode(
            ErasureOrderList.self, from: Data(content(home, "ingest/orders-since.json")))
        #expect(handed.orders.map(\.request) == ["a", "b", "c"])
    }

    @Test func `orders are read from a home that is still there, also those that no order was made of yet`() throws {
        try bench.append()
        try enrol(1...5)
        let file = try bench.back(up: "b")
        let request = ErasureRequestDocument(
            subject: ErasureSubjectDocument(
                request: "fresh", subject: order("", 3).subject, scope: .everything, barriers: []),
            requestedAt: 9, dueAt: 10, source: .device)
        try bench.ingest.write { db in
            try db.execute(
                sql: "INSERT INTO erasure_requests VALUES ('fresh', ?)", arguments: [try SortedJSON.text(of: request)])
        }
        try bench.home.prepare(for: .privacyWorker, timeZone: "Africa/Douala")
        let worker = try ServiceDatabase(
            path: bench.home.database(of: .privacyWorker),
            migrations: [Migration("orders", sql: "CREATE TABLE erasure_orders (request TEXT, document TEXT)")])
        try worker.write { db in
            try db.execute(
                sql: "INSERT INTO erasure_orders VALUES ('old', ?)",
                arguments: [try SortedJSON.text(of: order("old", 4))])
        }
        let (outcome, home) = try bench.restore(file, .previousHome(bench.home))
        #expect(outcome.orders_since == 2)
        #expect(try home.restoration()?.awaitedErasures == ["old", "fresh"])
    }

    @Test func `a previous home that was restored, and never started, hands on what it was to erase`() throws {
        try bench.append()
        try enrol(1...5)
        try bench.home.prepare(for: .privacyWorker, timeZone: "Africa/Douala")
        let worker = try ServiceDatabase(
            path: bench.home.database(of: .privacyWorker),
            migrations: [Migration("orders", sql: "CREATE TABLE erasure_orders (request TEXT, document TEXT)")])
        let file = try bench.back(up: "b")
        let orders = ErasureOrderList([order("since", 4)], exportedAt: 3)
        let (_, first) = try bench.restore(
            file, .file(bench.folder.write("orders.json", try SortedJSON.bytes(of: orders))))
        let (outcome, second) = try bench.restore(file, to: "newer", .previousHome(first))
        #expect(outcome.orders_since == 1)
        #expect(try second.restoration()?.awaitedErasures == ["since"])
        try worker.close()
    }

    @Test func `a previous home that names devices by another key is refused`() throws {
        try bench.append()
        let file = try bench.back(up: "b")
        let other = try BackupBench()
        try KeyStore(directory: other.home.keys).store("ingest.suppression.key", [UInt8](2...33))
        try other.home.prepare(for: .privacyWorker, timeZone: "Africa/Douala")
        _ = try ServiceDatabase(
            path: other.home.database(of: .privacyWorker),
            migrations: [Migration("orders", sql: "CREATE TABLE erasure_orders (request TEXT, document TEXT)")])
        #expect(throws: ServiceError.self) { try bench.restore(file, .previousHome(other.home)) }
        #expect(!FileManager.default.fileExists(atPath: bench.folder.path + "/new"))
    }

    @Test func `something must be said of orders since the backup`() {
        for arguments in [[], ["--no-later-orders", "--orders", "x"], ["--orders", "x", "--previous-home", "y"]] {
            let error = #expect(throws: (any Error).self) {
                try NkulCommand.parseAsRoot(["restore", "b", "--identity", "k"] + arguments)
            }
            #expect(error.map { NkulCommand.report($0) } == 2)
        }
    }
}
