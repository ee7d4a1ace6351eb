internal import IngestSupport
internal import NIOCore
internal import NIOPosix
package import ServiceKit
internal import ServiceLifecycle

/// Where alarm panels connect: SIA DC-09 over TCP. A connection has one message at work; further ones wait, few of them.
package final class PanelServer: Service {
    /// Connections at once.
    package static let mostConnections = 256
    /// A connection without a whole message for so long is closed; panels ask for a sign of life more often.
    static let idle = TimeAmount.minutes(10)

    private let receiver: PanelReceiver
    private let listener: ConnectionListener

    /// - Parameter address: port 0 takes any free one.
    package init(_ receiver: PanelReceiver, at address: HostPort, host: ServiceHost) {
        self.receiver = receiver
        listener = ConnectionListener(
            "panels", setting: "NKUL_INGEST_DC09", at: address, queue: "panel_connections",
            most: Self.mostConnections, host: host)
    }

    /// Binds the listener; once, before ``run()``.
    ///
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    package func start() async throws {
        _ = try await listener.start(
            backlog: 64, options: { $0.childChannelOption(.maxMessagesPerRead, value: 1) }, welcome)
    }

    /// Serves until the program is asked to stop.
    package func run() async throws { await listener.run() }

    private func welcome(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try Self.handle(channel.pipeline.syncOperations) { [receiver] in await receiver.answer($0) }
        }
    }

    /// The idle timer stands behind the decoder: bytes that make no message do not keep a connection open.
    static func handle(
        _ pipeline: ChannelPipeline.SynchronousOperations, idle: TimeAmount = PanelServer.idle,
        _ answer: @escaping PanelConnection.Answering
    ) throws {
        try pipeline.addHandler(ByteToMessageHandler(DC09Decoder(), maximumBufferSize: 2 * DC09Frame.mostBytes))
        try pipeline.addHandler(IdleStateHandler(readTimeout: idle))
        try pipeline.addHandler(PanelConnection(answer))
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
    /// What is sent back for a message; nil: nothing.
    typealias Answering = @Sendable ([UInt8]) async -> [UInt8]?

    /// Messages that may wait while one is at work.
    static let mostWaiting = 16

    private let answer: Answering
    private var waiting: [[UInt8]] = []
    private var isBusy = false
    private var isEnding = false

    init(_ answer: @escaping Answering) { self.answer = answer }

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
        let message = waiting.removeFirst(), answering = answer
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { await answering(message) }.whenSuccess { answer in
            let (connection, context) = bound.value
            connection.isBusy = false
            if let answer, context.channel.isActive {
                // A panel that does not read its answers would have them pile up here.
                guard context.channel.isWritable else { return context.close(promise: nil) }
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
