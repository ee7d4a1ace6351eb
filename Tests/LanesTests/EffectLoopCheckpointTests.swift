import GRDB
import Lanes
import Models
import QoE
import Storage
import TemporaryFiles
import Testing

/// The loop of a service whose readers do not wait for its checkpoints.
@Suite(.timeLimit(.minutes(2))) struct EffectLoopCheckpointTests {
    /// Effects that take thirteen pages a block.
    private final class Growth: BlockEffects {
        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
            for _ in blocks { try transaction.db.execute(sql: "INSERT INTO grown VALUES (zeroblob(50000))") }
        }
        var nextTick: UnixMilliseconds? { nil }
    }

    @Test func `a long log is written to the file when no block waits`() async throws {
        let world = try SocketWorld(.ipc)
        defer { world.stop() }
        let directory = try TemporaryDirectory()
        let database = try ServiceDatabase(
            path: directory.path("a.sqlite"),
            migrations: [Migration("grown", sql: "CREATE TABLE grown (content BLOB)")],
            options: DatabaseOptions(checkpointPages: 12, defersCheckpoints: true))
        let engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [],
            effects: Growth())
        let client = try world.client(after: nil), (steps, hasStepped) = AsyncStream<Void>.makeStream()
        let loop = EffectLoop(
            engine: engine, source: client, publisher: nil,
            options: EffectLoopOptions(onStep: { _, _ in hasStepped.yield() }), clock: { 1 })
        try client.start()
        loop.start()
        defer { loop.stop() }
        try world.append(100, from: 1)
        for await _ in steps { break }
        let unwritten = try await loop.perform { $0.database.unwrittenLogBytes }
        #expect(unwritten == 0)
    }
}
