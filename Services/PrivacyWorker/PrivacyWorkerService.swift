internal import Lanes
internal import ServiceKit
public import ServiceLifecycle
internal import ZeroMQ

/// The running privacy worker: reads the requests lane, writes the privacy lane.
public struct PrivacyWorkerService: Service {
    let host: ServiceHost
    let context: Context
    let sockets: SocketThread
    let server: LaneServer
    let client: LaneClient
    let loop: EffectLoop

    /// Until the program is asked to stop or a thread has failed; the step it is in is committed before it returns.
    public func run() async throws {
        sockets.start()
        defer {
            loop.stop()
            sockets.stop()
            server.stop()
            context.shutdown()
        }
        try server.start()
        try client.start()
        loop.start { [stop = host.stop] failure in
            if let failure { stop.fail(failure) }
        }
        try await host.serve()
    }
}
