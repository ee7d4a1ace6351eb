import Lanes
import Logging
import Models
import QoE
import Storage
import TemporaryFiles
import Wire
import ZeroMQ

/// A writer with its sockets; readers are made from it.
final class SocketWorld {
    let directory: TemporaryDirectory
    let database: ServiceDatabase
    let limits: LaneLimits?
    private(set) var journal: Journal
    /// Where readers find the writer.
    private(set) var address: String
    /// Where the last reader stopped.
    var cursor: Position?
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let keys: LaneKeys
    private let readerContext: Context
    private var writer: SocketWriter?
    private var readerThreads: [SocketThread] = []
    private var encoder = ColumnEncoder()

    /// - Parameter admitsReaders: false leaves the writer without the readers' key, and so without a ZAP handler.
    init(_ transport: LaneTransport = .ipc, limits: LaneLimits? = nil, admitsReaders: Bool = true) throws {
        directory = try TemporaryDirectory()
        self.limits = limits
        database = try ServiceDatabase(
            path: directory.path("state.sqlite"), migrations: [], options: DatabaseOptions(secureDelete: false))
        keys = try LaneKeys.make(in: KeyStore(directory: directory.path("keys")))
        readerContext = try Context()
        journal = try Journal(lane: .batch, in: database, limits: limits, sealer: Self.sealer)
        address = transport.address(in: directory)
        try serve(admitsReaders: admitsReaders)
    }

    var server: LaneServer { writer!.server }
    /// Holds up the writer's socket thread, as if its process were stopped, until the function returned is called.
    func suspendWriter() -> () -> Void { writer!.suspend() }

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

    /// Ends the writer and starts another one on the same journal and address.
    func restart() throws {
        stopWriter()
        try startWriter()
    }

    /// The writer is gone.
    func stopWriter() {
        writer?.stop()
        writer = nil
    }

    /// A writer on the journal and the address of the one before.
    func startWriter() throws {
        journal = try Journal(lane: .batch, in: database, sealer: Self.sealer)
        try serve(admitsReaders: true)
    }

    func stop() {
        for thread in readerThreads { thread.stop() }
        writer?.stop()
    }

    /// How readers with the keys of the house reach the writer.
    func reading() throws -> LaneEndpoint { try keys.reading([.batch], at: [.batch: address])[.batch]! }

    func client(after position: Position?, at endpoint: LaneEndpoint? = nil) throws -> LaneClient {
        let thread = SocketThread(name: "reader", context: readerContext)
        thread.start()
        readerThreads.append(thread)
        return try LaneClient(
            reader: "reader", subscriptions: [LaneSubscription(lane: .batch, kinds: [.report])],
            endpoints: [.batch: endpoint ?? reading()], cursors: position.map { [.batch: $0] } ?? [:],
            sockets: thread, log: log)
    }

    func connect(after position: Position? = nil, at endpoint: LaneEndpoint? = nil) throws -> SocketReader {
        let client = try client(after: position, at: endpoint)
        try client.start()
        return SocketReader(client: client, world: self, thread: readerThreads.last!)
    }

    private static var sealer: BlockSealer { BlockSealer(key: [UInt8](repeating: 9, count: 32)) }

    private func serve(admitsReaders: Bool) throws {
        var endpoint = try keys.serving([.batch], at: [.batch: address])[.batch]!
        if !admitsReaders { endpoint.admitted = [] }
        let writer = try SocketWriter(journal, database, at: endpoint, log: log)
        address = writer.address
        self.writer = writer
    }
}

/// By what the lanes of a test go.
enum LaneTransport: String, CaseIterable, Sendable {
    /// A path of this machine.
    case ipc
    /// TCP with CURVE, as between machines.
    case tcp

    /// Where a lane can be offered; the port of TCP is the system's to choose.
    func address(in directory: TemporaryDirectory) -> String {
        switch self {
        case .ipc: "ipc://\(directory.path("batch.sock"))"
        case .tcp: "tcp://127.0.0.1:*"
        }
    }
}
