public import Lanes
internal import Models
public import Storage
package import ZeroMQ

/// The sockets of a service's lanes: the thread they belong to, the server of the lanes it writes, the clients of those it
/// reads. Every service is wired to its lanes by one.
public struct LaneSockets: Sendable {
    /// What committed blocks are handed to.
    public let server: LaneServer
    package let context: Context
    /// For sockets of the service's own beside those of lanes.
    package let thread: SocketThread
    private let keys: LaneKeys
    private let endpoints: [LaneName: String]
    private let host: ServiceHost
    private let serverNiceness: Int32

    /// Nothing runs yet.
    ///
    /// - Parameters:
    ///   - name: of the thread, less `-sockets`.
    ///   - isPrompt: true if somebody waits for what this thread does, as phones do for ingest.
    ///   - journals: of the lanes that are served, in `database`.
    ///   - isOrigin: true if the service answers phones, and publishes blocks before it acknowledges what is in them.
    ///   - clock: what heartbeats tell.
    ///   - serverNiceness: nice level of the thread that reads pages for the lanes' readers.
    /// - Throws: `ZeroMQError` or `LaneError` naming the lane, address or key that cannot be used.
    public init(
        _ host: ServiceHost, _ common: CommonConfiguration, name: String, isPrompt: Bool = false,
        journals: [Journal], database: ServiceDatabase, isOrigin: Bool = false, clock: WallClock,
        serverNiceness: Int32 = 10
    ) throws {
        self.host = host
        self.serverNiceness = serverNiceness
        endpoints = common.laneEndpoints
        keys = LaneKeys(directory: common.laneKeys)
        context = try Context()
        thread = SocketThread(name: "\(name)-sockets", context: context, isPrompt: isPrompt) { [stop = host.stop] in
            stop.fail($0)
        }
        server = try LaneServer(
            journals: journals, endpoints: try keys.serving(journals.map(\.lane), at: endpoints), database: database,
            sockets: thread, isOrigin: isOrigin, clock: clock.now, log: host.logger)
    }

    /// A client of the lanes that an engine reads; `/readyz` shows them from now on.
    ///
    /// - Parameter reader: the name of a second engine of the service, of which `/readyz` knows by a condition of its own;
    ///   nil: the service itself.
    /// - Throws: `ZeroMQError` or `LaneError` naming the lane, address or key that cannot be used.
    public func client(of engine: EffectEngine, reader: String? = nil) throws -> LaneClient {
        let lanes = engine.subscriptions.map(\.lane)
        let client = try LaneClient(
            reader: reader ?? host.service.rawValue, subscriptions: engine.subscriptions,
            endpoints: try keys.reading(lanes, at: endpoints), cursors: engine.cursors, sockets: thread,
            log: host.logger)
        if reader == nil { host.readiness.declare(lanes) }
        return client
    }

    /// Serves the lanes while `serve` runs; a thread that fails ends the service.
    ///
    /// - Parameter stop: ends, before the sockets do, what uses them; called in any case, from the caller's task.
    public func run(stop: () -> Void, _ serve: () async throws -> Void) async throws {
        thread.start()
        defer {
            stop()
            thread.stop()
            server.stop()
            context.shutdown()
        }
        try server.start(niceness: serverNiceness)
        try await serve()
    }
}
