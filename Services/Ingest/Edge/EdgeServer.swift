internal import IngestAPI
internal import IngestSupport
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import ServiceKit
internal import ServiceLifecycle

/// The device API's server: HTTP/1.1, behind TLS 1.3 if it has a certificate, on NIO's event loops, without a task per request.
package final class EdgeServer: Service {
    private let edge: Edge
    private let listener: ConnectionListener
    private let rounds: [ObjectIdentifier: NIOLoopBoundBox<EdgeRounds>]
    private let strangersTurnedAway: Counter

    /// - Parameter address: port 0 takes any free one.
    package init(_ edge: Edge, at address: HostPort, host: ServiceHost) {
        self.edge = edge
        listener = ConnectionListener(
            "device_api", setting: "NKUL_INGEST_HTTP", at: address, queue: "connections",
            most: edge.limits.connections, host: host)
        var rounds: [ObjectIdentifier: NIOLoopBoundBox<EdgeRounds>] = [:]
        for loop in listener.group.makeIterator() {
            rounds[ObjectIdentifier(loop)] = NIOLoopBoundBox.makeBoxSendingValue(EdgeRounds(), eventLoop: loop)
        }
        self.rounds = rounds
        strangersTurnedAway = host.metrics.queueRefusals("address_connections")
    }

    /// Binds the listener; once, before ``run()``.
    ///
    /// - Returns: its port.
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    @discardableResult
    package func start() async throws -> Int {
        try await listener.start(
            backlog: 1_024, isSecure: edge.certificates != nil,
            options: {
                $0.childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .childChannelOption(.allowRemoteHalfClosure, value: true)
            }, welcome)
    }

    /// Serves until the program is asked to stop; requests that are under way are answered.
    package func run() async throws {
        async let _: Void? = edge.certificates?.watch()
        await listener.run()
    }

    private func welcome(_ channel: any Channel) -> EventLoopFuture<Void> {
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
