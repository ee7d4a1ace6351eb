import ServiceKit
import Synchronization
import ZeroMQ

/// A subscriber of all alarms, as a screen of operators is one.
final class AlertSubscription: Sendable {
    /// What a message is about; the topic is `alerts/<network>/<severity>/<cell>`.
    struct Topic: Sendable {
        let network, severity, cell: String
    }

    private let sockets: SocketThread
    private let endpoint: String
    private let options: SocketOptions
    private let heartbeats = Atomic(0)

    init(_ fleet: Fleet) throws {
        let keys = try AlertKeys(home: fleet.home)
        options = try keys.options(subscribing: "alerts/")
        endpoint = keys.alerts_pub
        sockets = SocketThread(name: "bench-alerts", context: try Context(), isPrompt: true)
    }

    /// Returns when the first heartbeat is there.
    ///
    /// - Parameter receive: called for each alarm, on the socket's thread.
    func begin(_ receive: @escaping @Sendable (Topic) -> Void) async throws {
        sockets.start()
        try sockets.call { [self] loop in
            let socket = try loop.open(.sub, options: options, connect: endpoint)
            loop.onReceive(socket) { [self] frames in
                let parts = String(decoding: frames.first ?? [], as: UTF8.self).split(separator: "/").map(String.init)
                guard parts.count == 4 else {
                    heartbeats.add(1, ordering: .relaxed)
                    return
                }
                receive(Topic(network: parts[1], severity: parts[2], cell: parts[3]))
            }
        }
        let deadline = ContinuousClock.now + .seconds(15)
        while heartbeats.load(ordering: .relaxed) == 0 {
            guard ContinuousClock.now < deadline else { throw BenchError("no heartbeat on \(endpoint) in 15 s") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func stop() { sockets.stop() }
}
