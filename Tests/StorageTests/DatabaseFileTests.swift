import Foundation
import GRDB
import PowerCut
import TemporaryFiles
import Testing

@testable import Storage

@Suite struct DatabaseFileTests {
    let directory: TemporaryDirectory
    let table = Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    init() throws { directory = try TemporaryDirectory() }

    private func size(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    private func insert(_ count: Int, into database: ServiceDatabase) throws {
        for _ in 0..<count {
            try database.write { try $0.execute(sql: "INSERT INTO notes (body) VALUES (randomblob(50000))") }
        }
    }

    @Test func `a file grows in steps and is sound and keeps its rows when it is opened again`() throws {
        let path = directory.path("a.sqlite"), step = 1 << 20
        let options = DatabaseOptions(checkpointPages: 8, growthBytes: step)
        for run in 1...3 {
            let database = try ServiceDatabase(path: path, migrations: [table], options: options)
            try insert(30, into: database)
            #expect(try size(path) == (run * 30 * 50_000 + step) / step * step)
            let found = try database.read { db in
                (
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM notes"),
                    try String.fetchOne(db, sql: "PRAGMA integrity_check")
                )
            }
            #expect(found.0 == run * 30 && found.1 == "ok")
            try database.close()
        }
    }

    @Test func `a file without a step has the pages it needs`() throws {
        let path = directory.path("a.sqlite")
        let database = try ServiceDatabase(
            path: path, migrations: [table], options: DatabaseOptions(checkpointPages: 8))
        try insert(5, into: database)
        #expect(try size(path) < 300_000)
    }

    @Test func `what is written back steadily is there and nothing stays under way`() throws {
        let path = directory.path("a.sqlite")
        let database = try ServiceDatabase(
            path: path, migrations: [table], options: DatabaseOptions(checkpointPages: 8, writesBackSteadily: true))
        try database.write { db in
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO notes (body) VALUES (randomblob(50000))") }
        }
        #expect(throws: StorageError.self) {
            try database.write { try $0.execute(sql: "INSERT INTO notes (id, body) VALUES (1, x'00')") }
        }
        #expect(
            try ReadOnlyDatabase(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notes") } == 200)
        let names = [path, path + "-wal"]
        #expect(!SteadyWriteBack.shared.paths.contains { names.contains($0) })
    }

    @Test func `a deferred checkpoint waits for its owner but not forever`() throws {
        let path = directory.path("a.sqlite")
        let options = DatabaseOptions(checkpointPages: 32, defersCheckpoints: true)
        let database = try ServiceDatabase(path: path, migrations: [table], options: options)
        let before = try size(path)
        try insert(4, into: database)
        #expect(try size(path) == before)
        try database.checkpointIfDue()
        let after = try size(path)
        #expect(after > before + 4 * 50_000)
        try database.checkpointIfDue()
        #expect(try size(path) == after)
        try insert(Int(32 * Checkpointer.patience) * 4_096 / 50_000 + 2, into: database)
        #expect(try size(path) > after)
    }

    @Test func `a failed deferred checkpoint poisons after its commit`() throws {
        let disk = PowerCutDisk(directory: directory.path)
        let options = DatabaseOptions(checkpointPages: 4, defersCheckpoints: true, vfs: PowerCutDisk.vfs)
        let database = try ServiceDatabase(path: directory.path("a.sqlite"), migrations: [table], options: options)
        disk.failSync(after: 1)  // the first is the commit's, the second the checkpoint's
        try insert(1, into: database)
        #expect(throws: StorageError.self) { try database.checkpointIfDue() }
        #expect(database.failure?.code == .inputOutput)
        #expect(throws: StorageError.self) { try insert(1, into: database) }
    }

    @Test func `a file that cannot be opened is none`() {
        #expect(DatabaseFile(path: directory.path("missing")) == nil)
    }

    @Test func `a closed database leaves no descriptor of its files`() throws {
        for number in 0..<20 {
            let path = directory.path("\(number).sqlite")
            let options = DatabaseOptions(
                checkpointPages: 8, defersCheckpoints: true, longestLogPages: 64, growthBytes: 1 << 20,
                writesBackSteadily: true)
            let database = try ServiceDatabase(path: path, migrations: [table], options: options)
            for _ in 0..<3 {
                try insert(3, into: database)
                try database.checkpointIfDue()
            }
            try database.close()
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(!open.contains { $0.hasPrefix(path) })
        }
    }

    @Test func `files under way are those of commits that have begun and not ended`() throws {
        let paths = ["a", "b"].map(directory.path(_:))
        for path in paths { #expect(FileManager.default.createFile(atPath: path, contents: Data([1]))) }
        let files = try paths.map { try #require(DatabaseFile(path: $0)) }
        SteadyWriteBack.shared.begin([files[0]])
        SteadyWriteBack.shared.begin([files[1]])
        #expect(Set(SteadyWriteBack.shared.paths).isSuperset(of: paths))
        SteadyWriteBack.shared.end([files[0]])
        #expect(SteadyWriteBack.shared.paths.contains(paths[1]) && !SteadyWriteBack.shared.paths.contains(paths[0]))
        SteadyWriteBack.shared.end([files[1]])
        #expect(!SteadyWriteBack.shared.paths.contains(paths[1]))
    }
}
