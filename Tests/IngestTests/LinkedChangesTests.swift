import Foundation
import GRDB
import IngestSupport
import Models
import Storage
import Testing

@testable import IngestDuplicates
@testable import IngestUploads

/// Rows of `memory_changes` name the one before them that counts with them: few are read, little is written, and what has lost
/// its first does not count.
@Suite struct LinkedChangesTests {
    @Test func `in n uploads a record is written log n times, and read from log n rows`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        let store = try database.write { try MemoryStore($0) }
        var random = SplitMix64(seed: 7), came = 0
        func number(_ sql: String) throws -> Int { try database.read { try Int.fetchOne($0, sql: sql) ?? 0 } }
        for upload in 1...64 {
            try database.write { _ in
                var memory = try store.memory(of: 7)
                #expect(memory.changes.count <= 6, "upload \(upload)")
                #expect(zip(memory.changes, memory.changes.dropFirst()).allSatisfy { $0.size > $1.size })
                memory.insert(1, &random)
                came += memory.delta.encodedSize
                try store.save(memory, of: 7)
            }
            store.commit()
        }
        #expect(try number("SELECT count(*) FROM memories") == 0 && number("SELECT count(*) FROM memory_changes") == 64)
        #expect(try number("SELECT sum(length(changes)) FROM memory_changes") < 5 * came)
        let memory = try database.write { _ in try store.memory(of: 7) }
        #expect(memory.merged.ids.buckets.map(\.ids.count) == [64])
        // A long upload takes in everything that is shorter.
        try database.write { _ in
            var memory = memory
            memory.insert(70, &random)
            try store.save(memory, of: 7)
            #expect(try store.memory(of: 7).changes.map(\.memory.ids.buckets.first?.ids.count) == [134])
        }
    }

    @Test(arguments: [
        "UPDATE memory_changes SET device = 0, changes = zeroblob(length(changes))", "DELETE FROM memory_changes",
    ])
    func `rows whose first is gone do not count after a start`(erase: String) throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        var store = try database.write { try MemoryStore($0) }
        var random = SplitMix64(seed: 9)
        func upload(_ count: Int, of device: UInt64) throws {
            try database.write { _ in
                var memory = try store.memory(of: device)
                memory.insert(count, &random)
                try store.save(memory, of: device)
            }
            store.commit()
        }
        for count in [40, 20, 10] { try upload(count, of: 7) }
        try upload(5, of: 8)
        #expect(try store.memory(of: 7).changes.map(\.number) == [1, 2, 3])
        // A kill amid an erasure: its first row is gone, those that are linked to it are not.
        try database.write { try $0.execute(sql: "\(erase) WHERE number = 1") }
        store = try database.write { try MemoryStore($0) }
        #expect(try store.memory(of: 7).changes.isEmpty && store.memory(of: 8).changes.count == 1)
        for _ in 0..<4 {
            try upload(3, of: 8)
            try database.write { _ in try store.trim(rows: 100) }
            store.commit()
        }
        let left = try database.read { try Int.fetchAll($0, sql: "SELECT DISTINCT device FROM memory_changes") }
        #expect(left == [8])
    }

    @Test func `changes of a home of before are changes that count with none`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "memories-\(UUID()).sqlite").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
        var random = SplitMix64(seed: 8), delta = LayeredMemory()
        delta.insert(3, &random)
        let old = try ServiceDatabase(
            path: file, migrations: IngestSchema.migrations(before: "changes of memories that count with those before"))
        try old.write {
            for number in [4, 9] {
                try $0.execute(
                    sql: "INSERT INTO memory_changes (number, device, changes) VALUES (?, 7, ?)",
                    arguments: [number, Data(delta.delta.encoded())])
            }
        }
        try old.close()
        let new = try ServiceDatabase(path: file, migrations: IngestSchema.migrations)
        let memory = try new.write { try MemoryStore($0).memory(of: 7) }
        #expect(memory.merged == delta.delta && memory.changes.map(\.number) == [9])
        #expect(try new.read { try Int.fetchAll($0, sql: "SELECT total FROM memory_changes") } == [50, 50])
        try new.close()
    }
}

extension LayeredMemory {
    /// Remembers so many ids that nobody had.
    mutating func insert(_ count: Int, _ random: inout SplitMix64) {
        for _ in 0..<count {
            let id = random.next()
            insert(RowIdentity(seq: 0, id: id, content: id), capturedDay: 20_000)
        }
    }
}
