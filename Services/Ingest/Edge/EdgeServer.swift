internal import IngestAPI
internal import IngestSupport
internal import NIOCore
internal import NIOExtras
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import ServiceKit
internal import ServiceLifecycle
internal import Synchronization

/// The device API's server: HTTP/1.1, behind TLS 1.3 if it has a certificate, on NIO's event loops, without a task per request.
package final class EdgeServer: Service {
    private let edge: Edge
    private let address: HostPort
    private let host: ServiceHost
    private let group: any EventLoopGroup
    private let rounds: [ObjectIdentifier: NIOLoopBoundBox<EdgeRounds>]
    private let quiescing: ServerQuiescingHelper
    private let open = Atomic(0)
    private let turnedAway: Counter
    private let strangersTurnedAway: Counter

    /// - Parameter address: port 0 takes any free one.
    package init(_ edge: Edge, at address: HostPort, host: ServiceHost) {
        self.edge = edge
        self.address = address
        self.host = host
        group = MultiThreadedEventLoopGroup.singleton
        quiescing = ServerQuiescingHelper(group: group)
        var rounds: [ObjectIdentifier: NIOLoopBoundBox<EdgeRounds>] = [:]
        for loop in group.makeIterator() {
            rounds[ObjectIdentifier(loop)] = NIOLoopBoundBox.makeBoxSendingValue(EdgeRounds(), eventLoop: loop)
        }
        self.rounds = rounds
        turnedAway = host.metrics.queueRefusals("connections")
        strangersTurnedAway = host.metrics.queueRefusals("address_connections")
        host.readiness.declare("device_api", problem: "NKUL_INGEST_HTTP: \(address) is not bound yet")
        host.metrics.queue("connections", unit: "connections", limit: edge.limits.connections) { [weak self] in
            self?.open.load(ordering: .relaxed) ?? 0
        }
    }

    /// Binds the listener; once, before ``run()``.
    ///
    /// - Returns: its port.
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    @discardableResult
    package func start() async throws -> Int {
        do {
            let channel = try await bootstrap.bind(host: address.host, port: address.port).get()
            host.listens(
                "device_api", at: address, port: channel.localAddress?.port, isSecure: edge.certificates != nil)
            return channel.localAddress?.port ?? address.port
        } catch let error as IOError {
            throw ServiceError(.address, "NKUL_INGEST_HTTP: cannot listen on \(address)", errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw ServiceError(.address, "NKUL_INGEST_HTTP: cannot listen on \(address): \(error)")
        }
    }

    /// Serves until the program is asked to stop; requests that are under way are answered.
    package func run() async throws {
        async let _: Void? = edge.certificates?.watch()
        let ended = group.any().makePromise(of: Void.self)
        await withTaskCancellationOrGracefulShutdownHandler {
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            self.quiescing.initiateShutdown(promise: ended)
        }
    }

    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [quiescing] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelInitializer { channel in self.welcome(channel) }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
    }

    private func welcome(_ channel: any Channel) -> EventLoopFuture<Void> {
        let count = open.wrappingAdd(1, ordering: .relaxed).newValue
        channel.closeFuture.whenComplete { _ in self.open.wrappingSubtract(1, ordering: .relaxed) }
        guard count <= edge.limits.connections else {
            turnedAway.add()
            return channel.close()
        }
        var stranger: StrangerConnection?
        guard edge.api.admission.admitsConnection(from: ClientAddress(channel.remoteAddress), &stranger) else {
            strangersTurnedAway.add()
            return channel.close()
        }
        let rounds = rounds[ObjectIdentifier(channel.eventLoop)]!.value
        let connection = EdgeConnection(edge, rounds, channel.eventLoop, stranger)
        if let stranger {
            let bound = NIOLoopBound(stranger, eventLoop: channel.eventLoop)
            channel.closeFuture.whenComplete { _ in bound.value.leave() }
        }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let certificates = edge.certificates {
                try pipeline.addHandler(NIOSSLServerHandler(context: certificates.context))
            }
            let decoder = HTTPRequestDecoder(
                leftOverBytesStrategy: .forwardBytes, limitConfiguration: edge.limits.decoder)
            try pipeline.addHandler(ByteToMessageHandler(decoder, maximumBufferSize: edge.limits.undecodedBytes))
            try pipeline.addHandler(connection)
        }
    }
}
