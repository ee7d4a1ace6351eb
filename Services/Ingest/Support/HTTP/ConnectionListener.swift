package import NIOCore
package import NIOPosix
package import ServiceKit
internal import NIOExtras
internal import ServiceLifecycle
internal import Synchronization

/// A listener on NIO's event loops, from its binding to the end of its last connection. Counts connections, and closes those beyond
/// a limit as they arrive. From any thread.
package final class ConnectionListener: Sendable {
    package let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    private let name: String
    private let setting: String
    private let address: HostPort
    private let most: Int
    private let host: ServiceHost
    private let quiescing: ServerQuiescingHelper
    private let open = Atomic(0)
    private let turnedAway: Counter

    /// - Parameters:
    ///   - name: in the log, in the home's list of listeners and at `/readyz`.
    ///   - setting: that of its address, which errors name.
    ///   - address: port 0 takes any free one.
    ///   - queue: by which metrics name its connections.
    ///   - most: connections at once.
    package init(
        _ name: String, setting: String, at address: HostPort, queue: String, most: Int, host: ServiceHost
    ) {
        self.name = name
        self.setting = setting
        self.address = address
        self.most = most
        self.host = host
        quiescing = ServerQuiescingHelper(group: group)
        turnedAway = host.metrics.queueRefusals(queue)
        host.readiness.declare(name, problem: "\(setting): \(address) is not bound yet")
        host.metrics.queue(queue, unit: "connections", limit: most) { [weak self] in
            self?.open.load(ordering: .relaxed) ?? 0
        }
    }

    /// Binds; once, before ``run()``.
    ///
    /// - Parameters:
    ///   - backlog: connections that the system keeps until they are accepted.
    ///   - options: what else connections have.
    ///   - welcome: sets up a connection that there is room for, on its event loop.
    /// - Returns: its port.
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    package func start(
        backlog: Int32, isSecure: Bool = false, options: (ServerBootstrap) -> ServerBootstrap,
        _ welcome: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws -> Int {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [quiescing] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelInitializer { channel in self.admit(channel, welcome) }
        do {
            let channel = try await options(bootstrap).bind(host: address.host, port: address.port).get()
            host.listens(name, at: address, port: channel.localAddress?.port, isSecure: isSecure)
            return channel.localAddress?.port ?? address.port
        } catch let error as IOError {
            throw ServiceError(.address, "\(setting): cannot listen on \(address)", errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw ServiceError(.address, "\(setting): cannot listen on \(address): \(error)")
        }
    }

    /// Serves until the program is asked to stop and every connection has ended.
    package func run() async {
        let ended = group.any().makePromise(of: Void.self)
        await withTaskCancellationOrGracefulShutdownHandler {
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            self.quiescing.initiateShutdown(promise: ended)
        }
    }

    private func admit(
        _ channel: any Channel, _ welcome: (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        let count = open.wrappingAdd(1, ordering: .relaxed).newValue
        channel.closeFuture.whenComplete { _ in self.open.wrappingSubtract(1, ordering: .relaxed) }
        guard count <= most else {
            turnedAway.add()
            return channel.close()
        }
        return welcome(channel)
    }
}
