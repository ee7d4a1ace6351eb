internal import IngestSupport
internal import IngestUploads
internal import NIOCore
internal import NIOWebSocket
internal import ServiceKit

/// A latency echo over a WebSocket: each message goes back as it came, at once.
///
/// Confined to its event loop. Frames are whole and at most 125 bytes; nothing is kept of them. What a client does not take waits in its
/// channel: by the limits of ``EchoCore`` less than 400 KB of messages until the echo is over.
final class EchoConnection: ChannelInboundHandler, EdgeTimed {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let edge: Edge
    private let rounds: EdgeRounds
    private let address: ClientAddress
    private var core = EchoCore()
    private let beganAt = NIODeadline.now()
    private var heardAt = NIODeadline.now()
    private var outcome = EchoPlaces.Outcome.broken
    private var closingSince: NIODeadline?
    private var context: ChannelHandlerContext?
    let eventLoop: any EventLoop

    /// Seconds without a message after which an echo ends.
    private static let silence = TimeAmount.seconds(15)

    init(_ session: EchoSession, _ edge: Edge, _ rounds: EdgeRounds, _ eventLoop: any EventLoop) {
        address = session.address
        self.edge = edge
        self.rounds = rounds
        self.eventLoop = eventLoop
    }

    /// What stands in front of it in the pipeline.
    static func codec() -> [any ChannelHandler] {
        [
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: EchoCore.messageBytes)), WebSocketFrameEncoder(),
        ]
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        rounds.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        rounds.remove(self)
        edge.echoes.end(outcome, from: address)
        self.context = nil
    }

    /// Reads what was held back while the opening was looked at.
    func begin() { context?.read() }

    private var elapsed: Int64 { (.now() - beganAt).nanoseconds }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard closingSince == nil else { return }
        guard frame.maskKey != nil, frame.reservedBits.isEmpty, frame.fin else { return close(1002, .broken) }
        heardAt = .now()
        switch frame.opcode {
        case .text, .binary, .ping: answer(frame)
        case .pong: break
        case .connectionClose: close(1000, .done)
        default: close(1002, .broken)
        }
    }

    private func answer(_ frame: WebSocketFrame) {
        switch core.take(bytes: frame.length, at: elapsed) {
        case .close(let code): close(code, code == 1000 ? .done : .flooded)
        case .echo: write(frame.opcode == .ping ? .pong : frame.opcode, frame.unmaskedData)
        }
    }

    private func write(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: payload)), promise: nil)
    }

    private func close(_ code: UInt16, _ outcome: EchoPlaces.Outcome) {
        guard closingSince == nil, let context else { return }
        self.outcome = outcome
        closingSince = .now()
        write(.connectionClose, ByteBuffer(integer: code))
        context.close(mode: .output, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: close(1001, .broken)
        case ChannelEvent.inputClosed: closingSince == nil ? close(1000, .broken) : context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if EdgeConnection.isUncleanEnd(error) { return }
        if error as? NIOWebSocketError == .invalidFrameLength { return close(1009, .flooded) }
        context.close(promise: nil)
    }

    /// Once a second: ends an echo that is silent or has lasted long enough, and cuts off a client that stays after its end.
    func check(now: NIODeadline) {
        guard let context else { return }
        if let closingSince {
            if now - closingSince > edge.limits.lingerTime { context.close(promise: nil) }
        } else if core.isOver(at: elapsed) || now - heardAt > Self.silence {
            context.channel.isWritable ? close(1000, .done) : context.close(promise: nil)
        }
    }
}
