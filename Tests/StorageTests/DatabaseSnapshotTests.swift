import Foundation
import GRDB
import Storage
import TemporaryFiles
import Testing

@Suite struct DatabaseSnapshotTests {
    private let directory: TemporaryDirectory
    private let database: ServiceDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try ServiceDatabase(
            path: directory.path("a.sqlite"),
            migrations: [Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")])
    }

    private func add(_ count: Int) throws {
        try database.write { db in
            for _ in 0..<count {
                try db.execute(
                    sql: "INSERT INTO notes (text) VALUES (?)", arguments: [String(repeating: "x", count: 500)])
            }
        }
    }

    private func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM notes") ?? 0 }

    @Test func `a moment stays what it was while its service writes on`() throws {
        try add(10)
        let snapshot = try DatabaseSnapshot(path: database.path)
        try snapshot.begin()
        #expect(try snapshot.read(count) == 10)
        try add(500)
        #expect(try snapshot.read(count) == 10)
        #expect(try database.read(count) == 510)
    }

    @Test func `a copy is of the moment, of the size that was told, and sound`() throws {
        try add(300)
        let snapshot = try DatabaseSnapshot(path: database.path)
        try snapshot.begin()
        try add(300)
        let size = try snapshot.byteCount()
        let bytes = try snapshot.copy(in: directory.path) { file in
            FileHandle(fileDescriptor: file, closeOnDealloc: false).readDataToEndOfFile()
        }
        #expect(bytes.count == size)
        let path = directory.path("copy.sqlite")
        try bytes.write(to: URL(fileURLWithPath: path))
        let copy = try DatabaseQueue(path: path)
        #expect(try copy.read(count) == 300)
        #expect(try copy.read { try String.fetchOne($0, sql: "PRAGMA quick_check") } == "ok")
    }

    @Test func `no name of a copy is ever left, also if it is interrupted`() throws {
        struct Enough: Error {}
        try add(300)
        let snapshot = try DatabaseSnapshot(path: database.path)
        try snapshot.begin()
        let before = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(throws: Enough.self) { try snapshot.copy(in: directory.path, pause: { throw Enough() }) { _ in } }
        try snapshot.copy(in: directory.path) { _ in
            let now = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(now == before)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == before)
    }

    @Test func `after it is closed the log can be emptied again`() throws {
        try add(10)
        let snapshot = try DatabaseSnapshot(path: database.path)
        try snapshot.begin()
        try add(10)
        #expect(try !database.truncateLog())
        try snapshot.close()
        #expect(try database.truncateLog())
    }
}
