import GRDB
import Lanes
import Models
import QoE
import Storage
import Synchronization
import Testing
import Wire

/// What an observer hears of a loop with real sockets.
@Suite(.timeLimit(.minutes(2))) struct LaneObserverTests {
    /// Notes what it is told.
    private final class Witness: LaneObserver {
        struct Seen {
            var blocks = 0
            var rows = 0
            var survey: LaneSurvey?
            var pushes = 0
        }
        let seen = Mutex(Seen())
        private let last: UInt64
        private let arrived: AsyncStream<Void>.Continuation

        /// - Parameter arrived: told when the cursor is seen at block `last`.
        init(until last: UInt64, _ arrived: AsyncStream<Void>.Continuation) {
            self.last = last
            self.arrived = arrived
        }

        func stepped(_ outcome: EffectOutcome, of batch: LaneBatch, took: Duration, now: UnixMilliseconds) {
            seen.withLock { seen in
                seen.blocks += batch.blocks.count
                seen.rows += outcome.appliedRows
            }
        }
        func maintained(_ done: [LaneName: JournalMaintenance]) {}
        func looked(_ survey: LaneSurvey) {
            seen.withLock { $0.survey = survey }
            if survey.reads.first?.cursor == last { arrived.yield() }
        }
        func pushed(after delay: Duration) { seen.withLock { $0.pushes += 1 } }
    }

    @Test func `the observer hears of steps, pushes and where the reader stands`() async throws {
        let world = try SocketWorld(.ipc)
        defer { world.stop() }
        let database = try ServiceDatabase(
            path: ":memory:",
            migrations: [Migration("sums", sql: "CREATE TABLE sums (id INTEGER PRIMARY KEY, rows INTEGER)")])
        let engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [],
            effects: Tally())
        let client = try world.client(after: nil)
        let (stream, arrived) = AsyncStream<Void>.makeStream()
        let witness = Witness(until: 10, arrived)
        world.server.observe(by: witness)
        let time = Atomic<Int64>(1_000)
        let loop = EffectLoop(
            engine: engine, source: client, publisher: nil, options: EffectLoopOptions(observer: witness),
            clock: { time.wrappingAdd(1_000, ordering: .relaxed).newValue })
        try client.start()
        loop.start()
        for number in 0..<10 { try world.append(100, from: Int64(number * 100 + 1)) }
        for await _ in stream { break }
        loop.stop()
        let seen = witness.seen.withLock { $0 }
        #expect(seen.blocks == 10 && seen.rows == 1_000 && seen.pushes >= 1)
        let read = try #require(seen.survey?.reads.first)
        #expect(read.lane == .batch && read.head == 10 && read.isConnected)
        #expect(read.inbox.blocks == 0 && read.inbox.window.blocks > 0 && read.inbox.missed == 0)
    }
}
