import Foundation
import GRDB
import PowerCut
import Storage
import TemporaryFiles
import Testing

@Suite struct ServiceDatabaseTests {
    let directory: TemporaryDirectory
    let table = Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")

    init() throws { directory = try TemporaryDirectory() }

    @Test func `writes are read by readers of their own`() throws {
        let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table])
        let reader = try database.reader()
        try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('one')") }
        #expect(try reader.read { try String.fetchAll($0, sql: "SELECT text FROM notes") } == ["one"])
    }

    @Test func `connection is of the safe kind`() throws {
        let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table])
        let pragmas = try database.read { db in
            try ["journal_mode", "synchronous", "secure_delete", "foreign_keys"].map {
                try String.fetchOne(db, sql: "PRAGMA \($0)") ?? ""
            }
        }
        #expect(pragmas == ["wal", "2", "1", "1"])
    }

    @Test func `readers cannot write nor checkpoint`() throws {
        let path = directory.path("a.sqlite")
        let database = try ServiceDatabase(path: path, migrations: [table])
        try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('one')") }
        let reader = try ReadOnlyDatabase(path: path)
        let error = try #require(throws: StorageError.self) {
            try reader.read { try $0.execute(sql: "DELETE FROM notes") }
        }
        #expect(error.code == .notWritable)
        #expect(throws: StorageError.self) {
            try reader.read { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        try reader.close()
        #expect(try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int == log)
        #expect(log > 0)
    }

    @Test func `migrations run once and in order`() throws {
        let path = directory.path("a.sqlite")
        let second = Migration("more", sql: "ALTER TABLE notes ADD COLUMN more INTEGER DEFAULT 7")
        try ServiceDatabase(path: path, migrations: [table]).write {
            try $0.execute(sql: "INSERT INTO notes (text) VALUES ('one')")
        }
        for _ in 0..<2 {
            let database = try ServiceDatabase(path: path, migrations: [table, second])
            #expect(try database.read { try Int.fetchOne($0, sql: "SELECT more FROM notes") } == 7)
            try database.close()
        }
    }

    @Test func `failed migration leaves the schema before`() throws {
        let path = directory.path("a.sqlite")
        let broken = Migration("broken", sql: "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1)")
        #expect(throws: StorageError.self) { try ServiceDatabase(path: path, migrations: [table, broken]) }
        let database = try ServiceDatabase(path: path, migrations: [table])
        #expect(try database.read { try $0.tableExists("half") } == false)
    }

    @Test func `newer home is refused and left alone`() throws {
        let path = directory.path("a.sqlite")
        let second = Migration("more", sql: "ALTER TABLE notes ADD COLUMN more INTEGER")
        try ServiceDatabase(path: path, migrations: [table, second]).close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = try #require(throws: StorageError.self) { try ServiceDatabase(path: path, migrations: [table]) }
        #expect(error.code == .newerHome)
        #expect(error.description.contains(path) && error.description.contains("newer home"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `missing directory is named with errno`() throws {
        let error = try #require(throws: StorageError.self) {
            try ServiceDatabase(path: directory.path("nowhere/a.sqlite"), migrations: [])
        }
        #expect(error.code == .notWritable)
        #expect(error.systemError == ENOENT)
        #expect(error.path == directory.path("nowhere"))
    }

    @Test func `file that is no database is corrupt`() throws {
        let path = directory.path("a.sqlite")
        try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: path))
        let error = try #require(throws: StorageError.self) { try ServiceDatabase(path: path, migrations: []) }
        #expect(error.code == .corrupt)
        #expect(error.sqliteCode == 26)
    }

    @Test func `errors keep the extended code`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: [table])
        try database.write { try $0.execute(sql: "INSERT INTO notes VALUES (1, 'one')") }
        let error = try #require(throws: StorageError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO notes VALUES (1, 'again')") }
        }
        #expect(error.sqliteCode == 1555)  // SQLITE_CONSTRAINT_PRIMARYKEY
        #expect(database.failure == nil)
    }

    @Test func `participants are told how transactions end`() throws {
        final class Witness: TransactionParticipant {
            var events: [String] = []
            func transactionCommitted() { events.append("committed") }
            func transactionRolledBack() { events.append("rolled back") }
        }
        struct Stop: Error {}
        let database = try ServiceDatabase(path: ":memory:", migrations: [table])
        let witness = Witness()
        database.add(witness)
        try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('kept')") }
        #expect(throws: Stop.self) {
            try database.write { db in
                try db.execute(sql: "INSERT INTO notes (text) VALUES ('gone')")
                throw Stop()
            }
        }
        #expect(witness.events == ["committed", "rolled back"])
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notes") } == 1)
    }

    @Test func `failed fsync of a commit poisons for good`() throws {
        let disk = PowerCutDisk(directory: directory.path)
        let database = try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: [table], options: DatabaseOptions(vfs: PowerCutDisk.vfs))
        disk.failSync(after: 0)
        let error = try #require(throws: StorageError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('one')") }
        }
        #expect(error.code == .inputOutput)
        #expect(error.sqliteCode == 1034)  // SQLITE_IOERR_FSYNC
        let later = try #require(throws: StorageError.self) { try database.write { _ in } }
        #expect(later.code == .poisoned)
    }

    @Test func `failed fsync of a checkpoint poisons too`() throws {
        let disk = PowerCutDisk(directory: directory.path)
        let database = try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: [table],
            options: DatabaseOptions(checkpointPages: 1, vfs: PowerCutDisk.vfs))
        disk.failSync(after: 1)  // the first is the commit's, the second the checkpoint's
        #expect(throws: StorageError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('one')") }
        }
        #expect(database.failure?.code == .inputOutput)
    }

    @Test func `full disk rolls back releases the ballast and goes on`() throws {
        let disk = PowerCutDisk(directory: directory.path)
        let database = try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: [table],
            options: DatabaseOptions(ballastBytes: 1 << 20, vfs: PowerCutDisk.vfs))
        let ballast = try #require(database.ballast)
        #expect(ballast.isPresent)
        try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('kept')") }
        disk.setCapacity(200_000)
        let error = try #require(throws: StorageError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES (hex(zeroblob(300000)))") }
        }
        #expect(error.code == .diskFull)
        #expect(!ballast.isPresent)
        #expect(!FileManager.default.fileExists(atPath: ballast.path))
        #expect(try database.read { try String.fetchAll($0, sql: "SELECT text FROM notes") } == ["kept"])
        disk.setCapacity(nil)
        #expect(try ballast.restore())
        try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES ('after')") }
    }

    @Test func `the log is as long as its pages are, whatever size a new file would have`() throws {
        let path = directory.path("a.sqlite")
        _ = try ServiceDatabase(path: path, migrations: [table])
        let database = try ServiceDatabase(
            path: path, migrations: [table],
            options: DatabaseOptions(pageBytes: 1_024, checkpointPages: 10_000))
        try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES (hex(zeroblob(200000)))") }
        #expect(400_000...600_000 ~= database.unwrittenLogBytes)
    }

    @Test func `the log is long until a checkpoint has written it`() throws {
        let database = try ServiceDatabase(
            path: directory.path("a.sqlite"), migrations: [table], options: DatabaseOptions(checkpointPages: 200))
        func add(_ bytes: Int) throws {
            try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES (hex(zeroblob(\(bytes / 2))))") }
        }
        try add(400_000)
        #expect(400_000...600_000 ~= database.unwrittenLogBytes)
        let reader = try database.reader()
        try reader.read { db in
            // A reader of an older moment: not all of the log can be written.
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM notes")
            try add(1_000_000)
            #expect(database.unwrittenLogBytes > 1_000_000)
        }
        try add(10_000)
        #expect(database.unwrittenLogBytes == 0)
        try add(10_000)
        #expect(10_000...60_000 ~= database.unwrittenLogBytes)
        #expect(try database.truncateLog())
        #expect(database.unwrittenLogBytes == 0)
    }

    @Test func `emptying the log waits for short reads`() throws {
        let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table])
        let relay = try ReaderRelay(database)
        defer { relay.stop() }
        var emptied = 0
        for _ in 0..<40 {
            try database.write { try $0.execute(sql: "INSERT INTO notes (text) VALUES (hex(randomblob(2000)))") }
            if try database.truncateLog() { emptied += 1 }
        }
        // None at all if nobody waits. Not each of them: the machine may stop a reader for longer than it is waited for.
        #expect(emptied >= 4)
    }

    @Test func `closed database refuses`() throws {
        let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table])
        try database.close()
        #expect(throws: StorageError.self) { try database.write { _ in } }
    }
}
