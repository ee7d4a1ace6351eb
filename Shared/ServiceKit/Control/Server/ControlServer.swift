import Foundation
import Logging
internal import ServiceLifecycle
import ZeroMQ

/// Answers calls on `ipc://<home>/run/<service>.control` (0600): the only way in for `nkul admin`.
///
/// One ROUTER on a socket thread of its own; each call is answered in a task of its own, at most ``mostCalls`` at once. A
/// client that goes away costs nothing: its answer is dropped. Beside the service's calls there are always `calls` (their
/// names), `status` and `clock.show`, and `clock.set` where the clock follows recordings.
package struct ControlServer: Service {
    /// Calls that may be under way; more are answered with `busy`.
    package static let mostCalls = 64
    /// After it a call is cancelled and answered with `timeout`.
    package static let longestCall = Duration.seconds(60)

    private let host: ServiceHost
    private let address: ControlAddress
    private let calls: [String: ControlCall]
    private let longest: Duration

    /// - Parameter calls: the service's own; the last of one name counts.
    /// - Throws: ``ServiceError`` if the path of the socket is too long.
    package init(_ host: ServiceHost, calls: [ControlCall]) throws {
        try self.init(host, calls: calls, longest: Self.longestCall)
    }

    init(_ host: ServiceHost, calls: [ControlCall], longest: Duration) throws {
        address = try ControlAddress(host.home, host.service)
        let clock = ControlCall.clock(of: host)
        let names = Set((calls + clock).map(\.name)).union(["calls", "status"]).sorted()
        let standard = [
            ControlCall("calls") { _ in .array(names.map { .string($0) }) },
            ControlCall.typed("status", JSONValue.self) { _ in ControlStatus(host) },
        ]
        self.calls = Dictionary((standard + clock + calls).map { ($0.name, $0) }) { $1 }
        self.host = host
        self.longest = longest
        host.readiness.declare("control", problem: "\(address.endpoint) is not bound yet")
    }

    /// Answers until the program is asked to stop; calls that are under way are then cancelled and answered with `stopping`.
    ///
    /// - Throws: ``ServiceError`` or `ZeroMQError` naming the socket that cannot be bound.
    package func run() async throws {
        let sockets = SocketThread(
            name: "control", context: try Context(), onFailure: { [stop = host.stop] in stop.fail($0) })
        sockets.start()
        defer {
            sockets.stop()
            unlink(address.path)
        }
        let dispatcher = try open(sockets)
        try host.listeners.report("control", address.endpoint)
        host.readiness.hold("control")
        try? await gracefulShutdown()
        dispatcher.close()
    }

    private func open(_ sockets: SocketThread) throws -> ControlDispatcher {
        try checkDirectory()
        var options = SocketOptions()
        options.maximumFrameBytes = Int64(2 * ControlRequest.mostBytes)
        options.sendHighWater = 8
        return try sockets.call { [address, calls, longest, options, logger = host.logger] loop in
            let socket = try loop.open(.router, options: options, bind: address.endpoint)
            guard chmod(address.path, 0o600) == 0 else {
                throw ServiceError(.home, "cannot protect \(address.path)", errno: errno)
            }
            let dispatcher = ControlDispatcher(calls: calls, longest: longest, logger: logger) {
                [weak sockets] frames in
                // A client that is gone is nobody's fault.
                sockets?.enqueue { loop in _ = try? loop.send(frames, on: socket) }
            }
            loop.onReceive(socket) { dispatcher.take($0) }
            return dispatcher
        }
    }

    /// Between bind and chmod only the directory keeps others out.
    private func checkDirectory() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: host.home.run)
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o077 == 0 else {
            throw ServiceError(
                .home,
                "\(host.home.run) has mode \(String(mode & 0o777, radix: 8)), so that others could reach its sockets;"
                    + " chmod 700 it")
        }
    }
}
