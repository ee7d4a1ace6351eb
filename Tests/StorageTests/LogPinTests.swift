import Foundation
import GRDB
import PowerCut
import TemporaryFiles
import Testing

@testable import Storage

/// Checkpoints that write a log to its file without an fsync; that nothing is lost by them is shown by ``PowerCutTests``.
@Suite struct LogPinTests {
    let directory: TemporaryDirectory
    let table = Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String = "a.sqlite", longestLogPages: Int32, vfs: String? = nil) throws -> ServiceDatabase
    {
        let options = DatabaseOptions(
            checkpointPages: 12, defersCheckpoints: true, longestLogPages: longestLogPages, vfs: vfs)
        return try ServiceDatabase(path: directory.path(name), migrations: [table], options: options)
    }

    /// A commit of thirteen pages and more, and the checkpoint after it.
    private func insert(_ id: Int, into database: ServiceDatabase) throws {
        try database.write { try $0.execute(sql: "INSERT INTO notes VALUES (\(id), zeroblob(50000))") }
        try database.checkpointIfDue()
    }

    private func size(_ name: String) throws -> Int {
        try #require(
            try FileManager.default.attributesOfItem(atPath: directory.path(name))[.size] as? Int)
    }

    @Test func `the file is synced only when the log begins anew`() throws {
        let disk = PowerCutDisk(directory: directory.path)
        let database = try open(longestLogPages: 100, vfs: PowerCutDisk.vfs)
        let before = disk.syncs
        for id in 0..<5 { try insert(id, into: database) }
        #expect(disk.syncs == before + 5)
        #expect(try size("a.sqlite") > 3 * 50_000)
        #expect(database.unwrittenLogBytes <= 2 * 15 * 4_096)
        // More make it a hundred pages long twice: each time a sync of the file, two checkpoints later, and one of the new
        // log's header.
        for id in 5..<20 { try insert(id, into: database) }
        #expect(disk.syncs == before + 20 + 4)
    }

    @Test func `what a sync that failed may have lost is still in the log`() throws {
        let disk = PowerCutDisk(directory: directory.path)
        for seed in UInt64(0)..<12 {
            let name = "\(seed).sqlite"
            let database = try open(name, longestLogPages: 100, vfs: PowerCutDisk.vfs)
            for id in 0..<8 { try insert(id, into: database) }
            // The first is the commit's, the second the file's: the log has had a hundred pages for two checkpoints.
            disk.failSync(after: 1)
            #expect(throws: StorageError.self) { try insert(8, into: database) }
            #expect(database.failure?.message == "checkpoint failed")
            try? database.close()
            disk.cut(seed: seed)
            let again = try open(name, longestLogPages: 100, vfs: PowerCutDisk.vfs)
            #expect(try again.read { try Int.fetchAll($0, sql: "SELECT id FROM notes ORDER BY id") } == Array(0...8))
            #expect(try again.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        }
    }

    @Test func `a reader in the way does not bring checkpoints into commits`() throws {
        let database = try open(longestLogPages: 300)
        let reader = try ReadOnlyDatabase(path: directory.path("a.sqlite"))
        try insert(0, into: database)
        try reader.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM notes")
            for id in 1..<60 { try insert(id, into: database) }
            let file = try size("a.sqlite")
            try database.write { try $0.execute(sql: "INSERT INTO notes VALUES (1000, zeroblob(50000))") }
            #expect(try size("a.sqlite") == file)
        }
        for id in 60..<90 { try insert(id, into: database) }
        #expect(try size("a.sqlite-wal") < 1_000 * 4_120)
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notes") } == 91)
    }

    @Test func `the log begins anew when it is long and is written whole when that is asked`() throws {
        let database = try open(longestLogPages: 100)
        for id in 0..<60 { try insert(id, into: database) }
        #expect(try size("a.sqlite-wal") < 150 * 4_120)
        #expect(try size("a.sqlite") > 55 * 50_000)
        #expect(try database.truncateLog())
        #expect(try size("a.sqlite-wal") == 0)
        #expect(database.unwrittenLogBytes == 0)
        for id in 60..<70 { try insert(id, into: database) }
        try database.close()
        let again = try open(longestLogPages: 100)
        #expect(try again.read { try Int.fetchAll($0, sql: "SELECT id FROM notes ORDER BY id") } == Array(0..<70))
        #expect(try again.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    /// - Parameter areBroken: whether another thread breaks checkpoints off all the time.
    @Test(arguments: [false, true])
    func `what is in the log is there after every cut`(areBroken: Bool) throws {
        let disk = PowerCutDisk(directory: directory.path)
        var committed = 0
        for round in 0..<40 {
            let database = try open(longestLogPages: 60, vfs: PowerCutDisk.vfs)
            let found = try database.read { try Int.fetchAll($0, sql: "SELECT id FROM notes ORDER BY id") }
            #expect(found == Array(0..<found.count) && found.count >= committed)
            #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            committed = found.count
            let breaker = areBroken ? CheckpointBreaker(database) : nil
            defer { breaker?.stop() }
            disk.stop(after: 20 + round * 30)
            do {
                while true {
                    try database.write {
                        try $0.execute(sql: "INSERT INTO notes VALUES (\(committed), zeroblob(50000))")
                    }
                    committed += 1
                    try database.checkpointIfDue()
                }
            } catch is StorageError {}
            disk.cut(seed: UInt64(round))
        }
        #expect(committed > 100)
    }
}
