internal import Logging
internal import NIOCore
internal import NIOExtras
internal import NIOPosix
package import ServiceKit
internal import ServiceLifecycle
internal import Synchronization

/// Where alarm panels connect: SIA DC-09 over TCP. A connection has one message at work; further ones wait, few of them.
package final class PanelServer: Service {
    /// Connections at once.
    package static let mostConnections = 256
    /// A connection without a message for so long is closed; panels ask for a sign of life more often.
    static let idle = TimeAmount.minutes(10)

    private let receiver: PanelReceiver
    private let address: HostPort
    private let host: ServiceHost
    private let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    private let quiescing: ServerQuiescingHelper
    private let open = Atomic(0)
    private let turnedAway: Counter

    /// - Parameter address: port 0 takes any free one.
    package init(_ receiver: PanelReceiver, at address: HostPort, host: ServiceHost) {
        self.receiver = receiver
        self.address = address
        self.host = host
        quiescing = ServerQuiescingHelper(group: group)
        turnedAway = host.metrics.queueRefusals("panel_connections")
        host.readiness.declare("panels", problem: "NKUL_INGEST_DC09: \(address) is not bound yet")
        host.metrics.queue("panel_connections", unit: "connections", limit: Self.mostConnections) { [weak self] in
            self?.open.load(ordering: .relaxed) ?? 0
        }
    }

    /// Binds the listener; once, before ``run()``.
    ///
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    package func start() async throws {
        do {
            let channel = try await bootstrap.bind(host: address.host, port: address.port).get()
            host.listens("panels", at: address, port: channel.localAddress?.port)
        } catch let error as IOError {
            throw ServiceError(.address, "NKUL_INGEST_DC09: cannot listen on \(address)", errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw ServiceError(.address, "NKUL_INGEST_DC09: cannot listen on \(address): \(error)")
        }
    }

    /// Serves until the program is asked to stop.
    package func run() async throws {
        let ended = group.any().makePromise(of: Void.self)
        await withTaskCancellationOrGracefulShutdownHandler {
            try? await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            self.quiescing.initiateShutdown(promise: ended)
        }
    }

    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [quiescing] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelInitializer { channel in self.welcome(channel) }
            .childChannelOption(.maxMessagesPerRead, value: 1)
    }

    private func welcome(_ channel: any Channel) -> EventLoopFuture<Void> {
        let count = open.wrappingAdd(1, ordering: .relaxed).newValue
        channel.closeFuture.whenComplete { _ in self.open.wrappingSubtract(1, ordering: .relaxed) }
        guard count <= Self.mostConnections else {
            turnedAway.add()
            return channel.close()
        }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(IdleStateHandler(readTimeout: Self.idle))
            try pipeline.addHandler(
                ByteToMessageHandler(DC09Decoder(), maximumBufferSize: 2 * DC09Frame.mostBytes))
            try pipeline.addHandler(PanelConnection(receiver))
        }
    }
}

/// Finds messages between LF and CR; what stands before an LF is thrown away.
struct DC09Decoder: ByteToMessageDecoder {
    typealias InboundOut = [UInt8]

    /// A message that is longer than any can be.
    struct TooLong: Error {}

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let message = try Self.next(&buffer) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(message))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        try decode(context: context, buffer: &buffer)
    }

    static func next(_ buffer: inout ByteBuffer) throws -> [UInt8]? {
        guard let begin = buffer.readableBytesView.firstIndex(of: 0x0A) else {
            buffer.clear()
            return nil
        }
        buffer.moveReaderIndex(to: begin)
        guard let end = buffer.readableBytesView.firstIndex(of: 0x0D) else {
            if buffer.readableBytes > DC09Frame.mostBytes + 1 { throw TooLong() }
            return nil
        }
        guard end - begin <= DC09Frame.mostBytes + 1 else { throw TooLong() }
        let message = buffer.readBytes(length: end - begin + 1)!
        // Another LF inside begins anew: the panel had broken off.
        let last = message.lastIndex(of: 0x0A)!
        return Array(message[(last + 1)..<(message.count - 1)])
    }
}

/// A panel's connection: its messages are answered in their order, one after the other. Confined to its event loop.
final class PanelConnection: ChannelInboundHandler {
    typealias InboundIn = [UInt8]
    typealias OutboundOut = ByteBuffer

    /// Messages that may wait while one is at work.
    static let mostWaiting = 16

    private let receiver: PanelReceiver
    private var waiting: [[UInt8]] = []
    private var isBusy = false
    private var isEnding = false

    init(_ receiver: PanelReceiver) { self.receiver = receiver }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard waiting.count < Self.mostWaiting else { return context.close(promise: nil) }
        waiting.append(unwrapInboundIn(data))
        next(context)
    }

    private func next(_ context: ChannelHandlerContext) {
        guard !isBusy else { return }
        guard !waiting.isEmpty else {
            if isEnding { context.close(promise: nil) }
            return
        }
        isBusy = true
        let message = waiting.removeFirst(), receiver = receiver
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { await receiver.answer(message) }.whenSuccess { answer in
            let (connection, context) = bound.value
            connection.isBusy = false
            if let answer, context.channel.isActive {
                context.writeAndFlush(connection.wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
            }
            connection.next(context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isEnding = true
            next(context)
        case is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
