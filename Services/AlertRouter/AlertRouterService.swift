internal import Lanes
internal import ServiceKit
public import ServiceLifecycle
internal import ZeroMQ

/// The running alert router: reads the real-time lane, writes the alarms lane, and serves the alert endpoints.
public struct AlertRouterService: Service {
    let host: ServiceHost
    let sockets: SocketThread
    let server: LaneServer
    let client: LaneClient
    let effects: EffectLoop
    let windows: AlertWindows
    let life: AlertLife

    /// Until the program is asked to stop or a thread has failed. What is committed is published before it returns.
    public func run() async throws {
        defer {
            windows.stop()
            effects.stop()
            sockets.stop()
            server.stop()
            life.end(after: effects.failure, host.logger)
        }
        try client.start()
        effects.start { failure in
            if let failure { host.stop.fail(failure) }
        }
        try windows.start(effects)
        try await host.serve()
    }
}
