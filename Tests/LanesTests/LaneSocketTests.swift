import Foundation
import GRDB
import Lanes
import Logging
import Models
import Storage
import Synchronization
import Testing
import Wire
import ZeroMQ

/// Lanes over real sockets, databases and threads.
@Suite(.serialized) struct LaneSocketTests {
    @Test func blocksArriveInOrderWhenTheyAreCommitted() throws {
        let world = try SocketWorld()
        defer { world.stop() }
        let reader = try world.connect()
        for number in 0..<20 { try world.append(50, from: Int64(number * 50 + 1)) }
        let rows = try reader.take(rows: 1_000)
        #expect(rows == Array(1...1_000))
        #expect(reader.client.statuses[.batch]?.isConnected == true)
    }

    @Test func readerThatWasAwayForAMillionRowsCatchesUpAndTheWritersMemoryIsFlat() throws {
        let world = try SocketWorld()
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

    @Test func readerGoesOnWhenTheWriterIsStartedAgain() throws {
        let world = try SocketWorld()
        defer { world.stop() }
        let reader = try world.connect()
        try world.append(100, from: 1)
        #expect(try reader.take(rows: 100) == Array(1...100))
        try world.restart()
        try world.append(100, from: 101)
        #expect(try reader.take(rows: 100) == Array(101...200))
    }

    @Test func readerOfAnotherGenerationIsNotReadyAndSaysSo() throws {
        let world = try SocketWorld()
        defer { world.stop() }
        try world.append(1, from: 1)
        let reader = try world.connect(after: Position(lane: .batch, generation: 1, block: 1))
        reader.wait { !($0 ?? .waiting).isSound }
        #expect(reader.client.statuses[.batch]?.sentence(.batch).contains("another generation") == true)
    }

    @Test func progressOfReadersLetsTheJournalTrim() throws {
        let world = try SocketWorld(limits: LaneLimits(maximumBytes: 1 << 30, retention: 0))
        defer { world.stop() }
        let reader = try world.connect()
        for number in 0..<5 { try world.append(10, from: Int64(number * 10 + 1)) }
        _ = try reader.take(rows: 50)
        while world.journal.bytes > 0 { try world.maintain() }
        #expect(world.journal.readers["reader"]?.committed == 5)
    }

    @Test func remoteAddressesNeedTheKeysOfTheHouse() throws {
        let world = try SocketWorld()
        defer { world.stop() }
        let keys = try LaneKeys(try KeyStore(directory: world.directory.file("keys")))
        let strangers = try LaneKeys(try KeyStore(directory: world.directory.file("other")))
        let address = try world.serve(on: keys.serving("tcp://127.0.0.1:*"), keys: keys)
        try world.append(10, from: 1)
        let stranger = CurveThief(server: keys.server.publicKey, own: strangers.client)
        let refused = try world.connect(at: LaneEndpoint(address: address, security: stranger.security))
        let friend = try world.connect(at: keys.reading(address))
        #expect(try friend.take(rows: 10) == Array(1...10))
        #expect(refused.client.next(until: .now + .milliseconds(300)).isEmpty)
        #expect(refused.client.statuses[.batch] == .waiting)
        #expect(LaneKeys.isLocal("ipc:///tmp/x") && !LaneKeys.isLocal(address))
    }

    @Test func loopAppliesPublishesAndStops() async throws {
        let world = try SocketWorld()
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

/// A writer with its sockets; readers are made from it.
final class SocketWorld {
    let directory: TemporaryDirectory
    let database: ServiceDatabase
    let context: Context
    let limits: LaneLimits?
    private(set) var journal: Journal
    private(set) var server: LaneServer
    private var serverThread: SocketThread
    private var clientThreads: [SocketThread] = []
    private var encoder = ColumnEncoder()
    private var kept: [Kept] = []
    /// Where the last reader stopped.
    var cursor: Position?
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init(limits: LaneLimits? = nil) throws {
        directory = try TemporaryDirectory()
        self.limits = limits
        database = try ServiceDatabase(
            path: directory.file("state.sqlite"), migrations: [], options: DatabaseOptions(secureDelete: false))
        context = try Context()
        let sealer = BlockSealer(key: [UInt8](repeating: 9, count: 32))
        journal = try Journal(lane: .batch, in: database, limits: limits, sealer: sealer)
        (server, serverThread) = try Self.serve(journal, database, directory, context, log)
    }

    func append(_ rows: Int, from first: Int64) throws {
        let journal = journal
        let blocks = try database.write {
            try journal.append(
                $0, kind: .report, columns: SampleRows.reports(rows, from: first), encoder: &encoder, now: 1)
        }
        server.publish([(lane: .batch, blocks: blocks)])
    }

    func maintain() throws {
        let journal = journal, progress = server.takeProgress()[.batch] ?? []
        try database.write { _ = try journal.maintain($0, progress: progress, now: 10) }
    }

    func restart() throws {
        serverThread.stop()
        server.stop()
        journal = try Journal(lane: .batch, in: database, sealer: BlockSealer(key: [UInt8](repeating: 9, count: 32)))
        (server, serverThread) = try Self.serve(journal, database, directory, context, log)
    }

    /// Serves the lane at another address, with a ZAP handler that admits the readers' key.
    func serve(on endpoint: LaneEndpoint, keys: LaneKeys) throws -> String {
        serverThread.stop()
        server.stop()
        let thread = SocketThread(name: "writer", context: context)
        thread.start()
        let zap = try thread.call { loop in
            let handler = try ZAPHandler(loop: loop)
            try keys.admitReaders(to: handler)
            return Kept(handler)
        }
        kept.append(zap)
        serverThread = thread
        server = try LaneServer(
            journals: [journal], endpoints: [.batch: endpoint], database: database, sockets: thread, log: log)
        return try server.start()[.batch]!
    }

    func stop() {
        for thread in clientThreads { thread.stop() }
        serverThread.stop()
        server.stop()
    }

    func client(after position: Position?, at endpoint: LaneEndpoint? = nil) throws -> LaneClient {
        let thread = SocketThread(name: "reader", context: context)
        thread.start()
        clientThreads.append(thread)
        return try LaneClient(
            reader: "reader", subscriptions: [LaneSubscription(lane: .batch, kinds: [.report])],
            endpoints: [.batch: endpoint ?? Self.endpoint(directory)], cursors: position.map { [.batch: $0] } ?? [:],
            sockets: thread, log: log)
    }

    func connect(after position: Position? = nil, at endpoint: LaneEndpoint? = nil) throws -> SocketReader {
        let client = try client(after: position, at: endpoint)
        try client.start()
        return SocketReader(client: client, world: self, thread: clientThreads.last!)
    }

    private static func endpoint(_ directory: TemporaryDirectory) -> LaneEndpoint {
        LaneEndpoint(address: "ipc://\(directory.file("batch.sock"))")
    }

    private static func serve(
        _ journal: Journal, _ database: ServiceDatabase, _ directory: TemporaryDirectory, _ context: Context,
        _ log: Logger
    ) throws -> (LaneServer, SocketThread) {
        let thread = SocketThread(name: "writer", context: context)
        thread.start()
        let server = try LaneServer(
            journals: [journal], endpoints: [.batch: endpoint(directory)], database: database, sockets: thread, log: log
        )
        try server.start()
        return (server, thread)
    }
}

/// Keeps what belongs to the socket thread alive.
private final class Kept: @unchecked Sendable {
    // Sendable: nothing reads it.
    let handler: ZAPHandler
    init(_ handler: ZAPHandler) { self.handler = handler }
}

/// Knows the server's public key, but has a key of its own that nobody admitted.
private struct CurveThief {
    let server: String
    let own: CurveKeyPair
    var security: SocketSecurity { .curveClient(keys: own, serverKey: server) }
}

/// A reader that takes blocks and gives credit back.
final class SocketReader {
    struct TooLate: Error {}
    let client: LaneClient
    private let world: SocketWorld
    private let thread: SocketThread
    private var decoder = ColumnDecoder()

    init(client: LaneClient, world: SocketWorld, thread: SocketThread) {
        self.client = client
        self.world = world
        self.thread = thread
    }

    /// The seqs of the next blocks; throws after 30 s without any.
    func take() throws -> [Int64] {
        let batch = client.next(until: .now + .seconds(30))
        guard let last = batch.blocks.last else { throw TooLate() }
        world.cursor = last.position
        defer { client.release(batch) }
        return try batch.blocks.flatMap { try $0.block.columns(with: &decoder)[ColumnID.seq]?.integers ?? [] }
    }

    func take(rows: Int) throws -> [Int64] {
        var taken: [Int64] = []
        while taken.count < rows { taken += try take() }
        return taken
    }

    /// Waits (at most 30 s) until the status is as wanted.
    func wait(until wanted: (LaneStatus?) -> Bool) {
        let deadline = ContinuousClock.now + .seconds(30)
        while !wanted(client.statuses[.batch]), ContinuousClock.now < deadline {
            _ = client.next(until: .now + .milliseconds(5))
        }
    }

    func stop() { thread.stop() }
}
