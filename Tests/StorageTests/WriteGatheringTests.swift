import Foundation
import GRDB
import PowerCut
import Storage
import TemporaryFiles
import Testing

/// Frames of a log that are written together are where SQLite and other connections look for them; that they survive what
/// they did before is shown by ``PowerCutTests``, whose databases gather as all do.
@Suite struct WriteGatheringTests {
    let migrations = [Migration("texts", sql: "CREATE TABLE texts (n INTEGER PRIMARY KEY, text TEXT NOT NULL)")]
    let directory: TemporaryDirectory
    let disk: PowerCutDisk

    init() throws {
        directory = try TemporaryDirectory()
        disk = PowerCutDisk(directory: directory.path)
    }

    @Test func `a commit of a thousand pages is few writes`() throws {
        let database = try open()
        let before = disk.operations
        try fill(database, with: 1...1_000)
        // 1 000 frames of 4 120 bytes in pieces of 64 KB (15 frames), and the same again to the file, page by page.
        #expect(disk.operations - before < 1_000 + 1_000 / 15 + 50)
        #expect(try texts(database).count == 1_000)
    }

    @Test func `a commit whose sync is put off is seen and is on disk once synced`() throws {
        let database = try open()
        try fill(database, with: 1...5)
        let reader = try ReadOnlyDatabase(
            path: directory.path("a.sqlite"), options: DatabaseOptions(vfs: PowerCutDisk.vfs))
        let before = disk.syncs
        for n in 6...9 { try database.writeUnsynced { try insert(n, $0) } }
        #expect(disk.syncs == before)
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM texts") } == 9)
        try database.sync()
        #expect(disk.syncs == before + 1)
        try database.sync()
        #expect(disk.syncs == before + 1)
        try database.writeUnsynced { try insert(10, $0) }
        disk.cut(seed: 1)
        let found = try texts(open())
        #expect(found == Array(1...9) || found == Array(1...10))
    }

    @Test func `a commit that is synced has those before it on disk`() throws {
        let database = try open()
        for n in 1...4 { try database.writeUnsynced { try insert(n, $0) } }
        try fill(database, with: 5...5)
        disk.cut(seed: 2)
        #expect(try texts(open()) == Array(1...5))
    }

    /// Otherwise frames of the log before, of which the file has newer pages, might be found behind the old header.
    @Test func `the header of a log is synced even so`() throws {
        let database = try open(checkpointPages: 30)
        try fill(database, with: 1...60)  // with a checkpoint, so that the next commit begins the log anew
        let before = disk.syncs
        try database.writeUnsynced { try insert(61, $0) }
        #expect(disk.syncs == before + 1)
        try database.writeUnsynced { try insert(62, $0) }
        #expect(disk.syncs == before + 1)
    }

    /// Letters move between forty pages; the log is begun anew again and again, and checkpoints come inside commits whose sync
    /// is put off. A page that is newer or older than the others would change how many letters there are.
    @Test func `what is put off is lost from its end only`() throws {
        var synced = 0, losses = 0
        try fill(open(checkpointPages: 30), with: 0...40)
        for seed in UInt64(0)..<150 {
            let database = try open(checkpointPages: 30)
            let found = try moves(database)
            try #require(found >= synced)
            let letters = try database.read {
                try Int.fetchOne($0, sql: "SELECT sum(length(text)) FROM texts WHERE n > 0")
            }
            try #require(letters == 40 * 3_000, "seed \(seed)")
            #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            var move = found
            disk.stop(after: 20 + Int(seed) * 37 % 150)
            do {
                while true {
                    try database.writeUnsynced { try self.move(move + 1, $0) }
                    move += 1
                    if move % 7 == 0 {
                        try database.sync()
                        synced = move
                    }
                }
            } catch is StorageError {}
            disk.cut(seed: seed)
            losses += try moves(open()) < move ? 1 : 0
        }
        #expect(losses > 10)
    }

    private func moves(_ database: ServiceDatabase) throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT CAST(text AS INTEGER) FROM texts WHERE n = 0") } ?? 0
    }

    private func move(_ number: Int, _ db: Database) throws {
        let from = 1 + number * 7 % 40, to = 1 + number * 11 % 37
        try db.execute(sql: "UPDATE texts SET text = substr(text, 2) WHERE n = ?", arguments: [from])
        try db.execute(sql: "UPDATE texts SET text = text || 'a' WHERE n = ?", arguments: [to])
        try db.execute(sql: "UPDATE texts SET text = ? WHERE n = 0", arguments: [String(number)])
    }

    @Test func `a transaction reads what it has spilled`() throws {
        let database = try open(cacheBytes: 64 << 10)
        try database.write { db in
            for n in 1...500 { try insert(n, db) }
            // Every page was written to the log already, or is kept; all are read, and some written again.
            try db.execute(sql: "UPDATE texts SET text = text || 'x' WHERE n % 7 = 0")
            #expect(try Int.fetchOne(db, sql: "SELECT sum(length(text)) FROM texts") == 500 * 3_000 + 71)
        }
        let reader = try ReadOnlyDatabase(
            path: directory.path("a.sqlite"), options: DatabaseOptions(vfs: PowerCutDisk.vfs))
        let length = try reader.read { try Int.fetchOne($0, sql: "SELECT sum(length(text)) FROM texts") }
        #expect(length == 500 * 3_000 + 71)
        #expect(try reader.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `what is rolled back after spilling is gone`() throws {
        let database = try open(cacheBytes: 64 << 10)
        try fill(database, with: 1...10)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.write { db in
                for n in 11...500 { try insert(n, db) }
                throw Stop()
            }
        }
        try fill(database, with: 501...520)
        disk.cut(seed: 3)
        #expect(try texts(open()) == Array(1...10) + Array(501...520))
    }

    /// Writers are opened by a URI and readers by a path: both mean the same file, whatever it is called.
    @Test(arguments: ["a", "données", "a b", "100%", "what?", "#1", "a%20b", "a;b&c=d"])
    func `any directory will do`(name: String) throws {
        let path = directory.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let database = try ServiceDatabase(path: path + "/\(name).sqlite", migrations: migrations)
        try fill(database, with: 1...3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).contains("\(name).sqlite"))
        let reader = try ReadOnlyDatabase(path: path + "/\(name).sqlite")
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM texts") } == 3)
    }

    @Test func `a full disk is told and ends with room`() throws {
        let database = try open(cacheBytes: 64 << 10)
        try fill(database, with: 1...20)
        disk.setCapacity(400 << 10)
        let error = #expect(throws: StorageError.self) { try fill(database, with: 21...520) }
        #expect(error?.code == .diskFull)
        #expect(try texts(database) == Array(1...20))
        disk.setCapacity(nil)
        try fill(database, with: 21...120)
        #expect(try texts(database) == Array(1...120))
    }

    @Test func `a sync that fails fails the commit`() throws {
        let database = try open()
        try fill(database, with: 1...3)
        disk.failSync(after: 0)
        #expect(throws: StorageError.self) { try fill(database, with: 4...5) }
        disk.cut(seed: 1)
        #expect(try texts(open()) == Array(1...3))
    }

    private func open(cacheBytes: Int = 16 << 20, checkpointPages: Int32 = 1_000) throws -> ServiceDatabase {
        try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: migrations,
            options: DatabaseOptions(
                cacheBytes: cacheBytes, checkpointPages: checkpointPages, vfs: PowerCutDisk.vfs))
    }

    private func fill(_ database: ServiceDatabase, with numbers: ClosedRange<Int>) throws {
        try database.write { db in for n in numbers { try insert(n, db) } }
    }

    /// A row that takes most of a page.
    private func insert(_ n: Int, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO texts VALUES (?, ?)", arguments: [n, String(repeating: "a", count: 3_000)])
    }

    private func texts(_ database: ServiceDatabase) throws -> [Int] {
        try database.read { try Int.fetchAll($0, sql: "SELECT n FROM texts ORDER BY n") }
    }
}
