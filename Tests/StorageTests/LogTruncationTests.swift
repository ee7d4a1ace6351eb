import Foundation
import GRDB
import Storage
import Synchronization
import Testing

/// Emptying a log among readers who are never all away.
@Suite struct LogTruncationTests {
    private let directory: TemporaryDirectory
    private let database: ServiceDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try ServiceDatabase(
            path: directory.file("a.sqlite"),
            migrations: [Migration("notes", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")])
    }

    @Test func `short reads are waited for`() throws {
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
}

/// Two readers, of whom one ends only after the other has begun.
private final class ReaderRelay: Sendable {
    private let readers: [ReadOnlyDatabase]
    private let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    private let others = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ database: ServiceDatabase) throws {
        readers = try [database.reader(), database.reader()]
        for index in 0..<2 { Thread.detachNewThread { [self] in run(index) } }
        turns[0].signal()
        // The first has begun when the second ends.
        others[1].wait()
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
        for _ in 0..<2 { ended.wait() }
    }

    private func run(_ index: Int) {
        let other = 1 - index
        while true {
            turns[index].wait()
            guard !isOver.load(ordering: .relaxed) else { break }
            try? readers[index].read { db in
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM notes")
                others[other].signal()
                turns[other].signal()
                others[index].wait()
            }
        }
        others[other].signal()
        turns[other].signal()
        ended.signal()
    }
}
