public import Lanes
package import ZeroMQ

/// The threads of a service that lives between lanes: sockets, the lanes it serves, those it reads, and its effects.
///
/// Shows the lanes it reads at `/readyz`, all of them at `/metrics`, and offers `reader.list` and `reader.detach`.
public struct LaneThreads: Sendable {
    /// The way to the service's database for other threads; `wake()` has the effects look at once at what is due.
    public let loop: EffectLoop
    private let sockets: LaneSockets
    private let client: LaneClient
    private let host: ServiceHost
    /// Of the lanes' sockets.
    package var context: Context { sockets.context }

    /// Wires an engine to the addresses of its lanes; nothing runs yet.
    ///
    /// - Parameters:
    ///   - clock: what its effects are timed by.
    ///   - options: name, gathering and niceness of its thread, and what it is told besides.
    /// - Throws: `ZeroMQError` or `LaneError` naming the lane, address or key that cannot be used.
    public init(
        _ host: ServiceHost, _ common: CommonConfiguration, _ engine: EffectEngine, clock: WallClock,
        _ options: EffectLoopOptions
    ) throws {
        try self.init(
            host,
            LaneSockets(
                host, common, name: options.name, journals: engine.journals, database: engine.database, clock: clock),
            engine, clock: clock, options)
    }

    /// The same, with sockets that exist already since the engine's effects use their thread.
    package init(
        _ host: ServiceHost, _ sockets: LaneSockets, _ engine: EffectEngine, clock: WallClock,
        _ options: EffectLoopOptions
    ) throws {
        self.host = host
        self.sockets = sockets
        client = try sockets.client(of: engine)
        var options = options
        options.onMaintenance = { [also = options.onMaintenance, readiness = host.readiness, client] done in
            readiness.show(client.statuses)
            also?(done)
        }
        options.observer = options.observer ?? LaneMetrics(host.metrics)
        loop = EffectLoop(
            engine: engine, source: client, publisher: sockets.server, options: options, clock: clock.now,
            pause: clock.pause)
        host.control.offer(ControlCall.readers(of: loop))
    }

    /// Ends the sockets of a service that was built and does not run.
    package func close() { sockets.thread.stop() }

    /// Runs them while `serve` runs; a thread that fails ends the service. Before it returns the step that is under way is
    /// committed, and every thread has ended, in the order of the flow.
    ///
    /// - Parameter ended: called when no more effects run, whether they failed or `serve` is over; from any thread, once.
    public func run(ended: @escaping @Sendable () -> Void = {}, _ serve: () async throws -> Void) async throws {
        try await sockets.run(stop: loop.stop) {
            try client.start()
            loop.start { [stop = host.stop] failure in
                ended()
                if let failure { stop.fail(failure) }
            }
            try await serve()
        }
    }
}
