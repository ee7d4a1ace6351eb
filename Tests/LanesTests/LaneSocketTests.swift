import Foundation
import GRDB
import Lanes
import Logging
import Models
import QoE
import Storage
import Synchronization
import Testing

/// Lanes over real sockets, databases and threads: the same claims on one machine and between machines.
@Suite(.serialized) struct LaneSocketTests {
    @Test(arguments: LaneTransport.allCases) func `blocks arrive in order when they are committed`(
        transport: LaneTransport
    )
        throws
    {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        let reader = try world.connect()
        for number in 0..<20 { try world.append(50, from: Int64(number * 50 + 1)) }
        let rows = try reader.take(rows: 1_000)
        #expect(rows == Array(1...1_000))
        #expect(reader.client.statuses[.batch]?.isConnected == true)
    }

    @Test(arguments: LaneTransport.allCases)
    func `reader that was away for a million rows catches up and the writers memory is flat`(
        transport: LaneTransport
    ) throws {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        try world.append(4_000, from: 1)
        do {
            let first = try world.connect()
            #expect(try first.take(rows: 4_000).count == 4_000)
            first.stop()
        }
        var largest = 0
        for round in 1..<250 {
            try world.append(4_000, from: Int64(round * 4_000 + 1))
            if round % 10 == 0 { largest = max(largest, try world.server.figures()[.batch]!.bufferedBytes) }
        }
        #expect(largest <= (4 << 20) + (1 << 20))
        let again = try world.connect(after: world.cursor)
        var sum: Int64 = 0, count = 0, isOrdered = true, last: Int64 = 4_000
        while count < 996_000 {
            for value in try again.take() {
                isOrdered = isOrdered && value == last + 1
                last = value
                sum += value
                count += 1
            }
        }
        #expect(isOrdered && last == 1_000_000)
        #expect(sum == 1_000_000 * 1_000_001 / 2 - 4_000 * 4_001 / 2)
        #expect(try world.server.figures()[.batch]!.bufferedBytes <= (4 << 20) + (1 << 20))
    }

    @Test(arguments: LaneTransport.allCases) func `reader goes on when the writer is started again`(
        transport: LaneTransport
    )
        throws
    {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        let reader = try world.connect()
        try world.append(100, from: 1)
        #expect(try reader.take(rows: 100) == Array(1...100))
        try world.restart()
        try world.append(100, from: 101)
        #expect(try reader.take(rows: 100) == Array(101...200))
    }

    @Test(arguments: LaneTransport.allCases) func `reader of another generation is not ready and says so`(
        transport: LaneTransport
    )
        throws
    {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        try world.append(1, from: 1)
        let reader = try world.connect(after: Position(lane: .batch, generation: 1, block: 1))
        reader.wait { !($0 ?? .waiting).isSound }
        #expect(reader.client.statuses[.batch]?.sentence(.batch).contains("another generation") == true)
    }

    @Test(arguments: LaneTransport.allCases) func `progress of readers lets the journal trim`(transport: LaneTransport)
        throws
    {
        let world = try SocketWorld(transport, limits: LaneLimits(maximumBytes: 1 << 30, retention: 0))
        defer { world.stop() }
        let reader = try world.connect()
        for number in 0..<5 { try world.append(10, from: Int64(number * 10 + 1)) }
        _ = try reader.take(rows: 50)
        while world.journal.bytes > 0 { try world.maintain() }
        #expect(world.journal.readers["reader"]?.committed == 5)
    }

    @Test(arguments: LaneTransport.allCases) func `loop applies publishes and stops`(transport: LaneTransport)
        async throws
    {
        let world = try SocketWorld(transport)
        defer { world.stop() }
        let database = try ServiceDatabase(
            path: ":memory:",
            migrations: [Migration("sums", sql: "CREATE TABLE sums (id INTEGER PRIMARY KEY, rows INTEGER)")])
        let subscription = LaneSubscription(lane: .batch, kinds: [.report])
        let engine = try EffectEngine(database: database, reads: [subscription], journals: [], effects: Tally())
        let client = try world.client(after: nil)
        let rows = Mutex(0)
        let (stream, done) = AsyncStream<Void>.makeStream()
        let loop = EffectLoop(
            engine: engine, source: client, publisher: nil,
            options: EffectLoopOptions(onStep: { outcome, _ in
                let total = rows.withLock { total in
                    total += outcome.appliedRows
                    return total
                }
                if total == 3_000 { done.yield() }
            }), clock: { 1 })
        try client.start()
        loop.start()
        for number in 0..<30 { try world.append(100, from: Int64(number * 100 + 1)) }
        for await _ in stream { break }
        loop.stop()
        #expect(loop.failure == nil)
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT sum(rows) FROM sums") } == 3_000)
    }
}
