import GRDB
import Glibc
import Lanes
import Models
import QoE
import Synchronization
import Testing
import Wire

@testable import Storage

/// The loop on a disk that is full for a while.
@Suite(.timeLimit(.minutes(2))) struct EffectLoopTests {
    /// Effects that need room and keep nothing in memory.
    private final class Growth: BlockEffects {
        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
            for block in blocks {
                try transaction.db.execute(
                    sql: "INSERT INTO grown (rows, content) VALUES (?, zeroblob(50000))",
                    arguments: [block.block.header.keptRows])
            }
        }
        var nextTick: UnixMilliseconds? { nil }
    }

    private let world: SocketWorld
    private let database: ServiceDatabase

    init() throws {
        world = try SocketWorld(.ipc)
        database = try ServiceDatabase(
            path: ":memory:",
            migrations: [Migration("grown", sql: "CREATE TABLE grown (rows INTEGER, content BLOB)")])
    }

    private func engine() throws -> EffectEngine {
        try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [],
            effects: Growth())
    }

    /// Lets the database have no more than `pages` beyond those it has.
    private func leave(_ pages: Int) throws {
        try database.write { db in
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(count + pages)")
        }
    }

    @Test func `a step that finds the disk full is repeated until there is room, and happens once`() async throws {
        defer { world.stop() }
        let (full, isFull) = AsyncStream<StorageError>.makeStream(),
            (moved, hasMoved) = AsyncStream<UInt64>.makeStream()
        let client = try world.client(after: nil), engine = try engine()
        try leave(2)
        let loop = EffectLoop(
            engine: engine, source: client, publisher: nil,
            options: EffectLoopOptions(
                onStep: { outcome, _ in outcome.moved[.batch].map { _ = hasMoved.yield($0.block) } },
                onDiskFull: { isFull.yield($0) }), clock: { 1 })
        try client.start()
        loop.start()
        for number in 0..<3 { try world.append(100, from: Int64(number * 100 + 1)) }
        for await error in full {
            #expect(error.code == .diskFull)
            break
        }
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grown") } == 0)
        try leave(10_000)
        for await block in moved where block == 3 { break }
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT sum(rows) FROM grown") } == 300)
        loop.stop()
        #expect(loop.failure == nil)
    }

    @Test func `a loop that waits for room can be stopped`() async throws {
        defer { world.stop() }
        let (full, isFull) = AsyncStream<Void>.makeStream()
        let client = try world.client(after: nil), engine = try engine()
        try leave(2)
        let loop = EffectLoop(
            engine: engine, source: client, publisher: nil,
            options: EffectLoopOptions(onDiskFull: { _ in isFull.yield() }), clock: { 1 })
        try client.start()
        loop.start()
        try world.append(100, from: 1)
        for await _ in full { break }
        loop.stop()
        #expect(loop.failure == nil)
    }

    @Test func `without that the loop ends with the error`() async throws {
        defer { world.stop() }
        let (ended, hasEnded) = AsyncStream<(any Error)?>.makeStream()
        let client = try world.client(after: nil), engine = try engine()
        try leave(2)
        let loop = EffectLoop(engine: engine, source: client, publisher: nil, clock: { 1 })
        try client.start()
        loop.start { hasEnded.yield($0) }
        try world.append(100, from: 1)
        for await error in ended {
            #expect((error as? StorageError)?.code == .diskFull)
            break
        }
    }

    @Test(.enabled(if: IdleTurn.isOpen))
    func `a loop of the idle class has others told at the usual turn, and hurries when it is asked`() async throws {
        defer { world.stop() }
        let loop = EffectLoop(
            engine: try engine(), source: try world.client(after: nil), publisher: nil,
            options: EffectLoopOptions(niceness: 10, idleClass: Messenger()), clock: { 1 })
        let end = AsyncStream<Int32>.makeStream()
        loop.start { _ in end.continuation.yield(sched_getscheduler(0)) }
        #expect(try await loop.perform { _ in sched_getscheduler(0) } == 0)
        loop.stop()
        for await policy in end.stream {
            #expect(policy == 0)
            break
        }
    }

    @Test func `answers of the writing thread are told as it says`() async throws {
        let told = Mutex(0)
        let requests = WriterRequests<Int>(
            wake: {},
            tell: { message in
                told.withLock { $0 += 1 }
                message()
            })
        async let answer = requests.perform { $0 + 1 }
        while told.withLock({ $0 }) == 0 {
            requests.run(on: 41)
            await Task.yield()
        }
        #expect(try await answer == 42)
        requests.close()
        await #expect(throws: WriterRefusal.stopped) { try await requests.perform { $0 } }
        #expect(told.withLock { $0 } == 1)
    }
}
