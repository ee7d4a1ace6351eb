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

    private func open(longestLogPages: Int32, vfs: String? = nil) throws -> ServiceDatabase {
        let options = DatabaseOptions(
            checkpointPages: 12, defersCheckpoints: true, longestLogPages: longestLogPages, vfs: vfs)
        return try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table], options: options)
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

    @Test func theFileIsSyncedOnlyWhenTheLogBeginsAnew() throws {
        let disk = PowerCutDisk(directory: directory.path)
        let database = try open(longestLogPages: 100, vfs: PowerCutDisk.vfs)
        // Syncs of commits, and each seventh commit or so that of the file.
        disk.failSync(after: 5)
        for id in 0..<5 { try insert(id, into: database) }
        #expect(try size("a.sqlite") > 3 * 50_000)
        #expect(database.unwrittenLogBytes <= 2 * 15 * 4_096)
        #expect(throws: StorageError.self) { try insert(5, into: database) }
    }

    @Test func theLogBeginsAnewWhenItIsLongAndIsWrittenWholeWhenThatIsAsked() throws {
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

    @Test func whatIsInTheLogIsThereAfterEveryCut() throws {
        let disk = PowerCutDisk(directory: directory.path)
        var committed = 0
        for round in 0..<40 {
            let database = try open(longestLogPages: 60, vfs: PowerCutDisk.vfs)
            let found = try database.read { try Int.fetchAll($0, sql: "SELECT id FROM notes ORDER BY id") }
            #expect(found == Array(0..<found.count) && found.count >= committed)
            #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            committed = found.count
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
