import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@Suite struct RestorationTests {
    private let database = try! ServiceDatabase(path: ":memory:", migrations: [])

    private func restoration(_ lanes: [Restoration.Lane], _ readers: [Restoration.Reader] = [], id: String = "r")
        -> Restoration
    {
        Restoration(id: id, backedUpAt: 1, restoredAt: 2, lanes: lanes, readers: readers)
    }

    private func lane(_ name: LaneName, from old: UInt64, head: UInt64, to new: UInt64) -> Restoration.Lane {
        Restoration.Lane(lane: name, oldGeneration: old, head: head, generation: new)
    }

    private func journal(_ generation: UInt64 = 5) throws -> Journal {
        try Journal(
            lane: .batch, in: database, readers: [ReaderRegistration(name: "a"), ReaderRegistration(name: "b")],
            newGeneration: { generation })
    }

    private func append(_ journal: Journal, _ blocks: Int) throws {
        var encoder = ColumnEncoder()
        for _ in 0..<blocks {
            _ = try database.write {
                try journal.append($0, kind: .report, columns: SampleRows.reports(2), encoder: &encoder, now: 1)
            }
        }
    }

    @Test func `a journal goes on with its numbers in the new generation`() throws {
        try append(journal(), 3)
        #expect(try restoration([lane(.batch, from: 5, head: 3, to: 9)]).settle(database))
        let journal = try journal()
        #expect(journal.generation == 9 && journal.head == 3)
        try append(journal, 1)
        let page = try Journal.read(lane: .batch, from: database.reader(), after: 0)
        #expect(page.blocks.map(\.header.number) == [1, 2, 3, 4])
        #expect(page.blocks.allSatisfy { $0.header.generation == 9 })
    }

    @Test func `numbers leap further the later a backup is restored`() {
        let first = Restoration(id: "a", backedUpAt: 1_000, restoredAt: 5_000, lanes: [], readers: [])
        let second = Restoration(id: "b", backedUpAt: 1_000, restoredAt: 9_000, lanes: [], readers: [])
        #expect(first.leap(atLeast: 100, perSecond: 20) == 180 && second.leap(atLeast: 100, perSecond: 20) == 260)
        // The clock of another machine may be behind.
        let behind = Restoration(id: "c", backedUpAt: 9, restoredAt: 1, lanes: [], readers: [])
        #expect(behind.leap(atLeast: 7, perSecond: 20) == 7)
    }

    @Test func `cursors stand at their blocks in the new generation`() throws {
        try database.write { db in
            try Cursor.createTable(db)
            try Cursor.write(Position(lane: .batch, generation: 5, block: 17), db)
            try Cursor.write(Position(lane: .alerts, generation: 6, block: 3), db)
        }
        try restoration([lane(.batch, from: 5, head: 20, to: 50), lane(.alerts, from: 6, head: 3, to: 60)]).settle(
            database)
        let cursors = try database.read { db in try [LaneName.batch, .alerts].map { try Cursor.read($0, db) } }
        #expect(
            cursors == [
                Position(lane: .batch, generation: 50, block: 17), Position(lane: .alerts, generation: 60, block: 3),
            ])
    }

    @Test func `it happens once, and what belongs to it in the same transaction`() throws {
        struct Crash: Error {}
        try append(journal(), 1)
        let restoration = restoration([lane(.batch, from: 5, head: 1, to: 9)])
        #expect(throws: Crash.self) { try restoration.settle(database) { _ in throw Crash() } }
        #expect(try journal().generation == 5)
        #expect(try !restoration.isSettled(database))
        var also = 0
        #expect(try restoration.settle(database) { _ in also += 1 })
        #expect(try !restoration.settle(database) { _ in also += 1 })
        #expect(also == 1)
        #expect(try journal().generation == 9)
    }

    /// What a reader had said between the backup of its own database and that of the lane.
    @Test func `blocks are kept for readers from where their cursors were in the backup`() throws {
        let before = try journal()
        try append(before, 4)
        try database.write { db in
            let progress = ["a", "b"].map {
                ReaderProgress(reader: ReaderRegistration(name: $0), committed: 4, isJoining: false)
            }
            _ = try before.maintain(db, progress: progress, now: 1)
        }
        let readers = [Restoration.Reader(lane: .batch, reader: "a", block: 2)]
        try restoration([lane(.batch, from: 5, head: 4, to: 9)], readers).settle(database)
        let journal = try journal()
        #expect(journal.readers["a"]?.committed == 2 && journal.readers["b"]?.committed == 0)
        _ = try database.write { try journal.maintain($0, now: 1 << 50) }
        #expect(journal.oldest == 1)
    }

    @Test func `a database that is not of the backup is refused and left alone`() throws {
        try append(journal(6), 1)
        #expect(throws: LaneError.otherGeneration(lane: .batch, expected: 5, found: 6)) {
            try restoration([lane(.batch, from: 5, head: 1, to: 9)]).settle(database)
        }
        #expect(try journal().generation == 6)
    }

    @Test func `a new database has nothing to bring over`() throws {
        #expect(try restoration([lane(.batch, from: 5, head: 1, to: 9)]).settle(database))
        #expect(try journal(77).generation == 77)
    }

    @Test func `what was said of a block holds for its successor, through any number of restores`() throws {
        try restoration([lane(.batch, from: 5, head: 10, to: 6)], id: "1").settle(database)
        try restoration([lane(.batch, from: 6, head: 12, to: 7)], id: "2").settle(database)
        let lineage = try database.read { try Lineage($0) }
        func present(_ generation: UInt64, _ block: UInt64, _ lane: LaneName = .batch) -> UInt64 {
            lineage.present(Position(lane: lane, generation: generation, block: block)).generation
        }
        #expect(present(5, 10) == 7)
        #expect(present(6, 12) == 7)
        #expect(present(5, 11) == 5, "the backup did not have it")
        #expect(present(6, 13) == 6)
        #expect(present(7, 99) == 7)
        #expect(present(5, 1, .realtime) == 5)
        #expect(try database.read { try RestoreRecord.lastRestore($0) } == 2)
    }
}
