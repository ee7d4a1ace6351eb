import NIOCore
import NIOWebSocket

/// Sends texts as frames and gathers the frames of what comes. Confined to the event loop.
final class PhoneFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private var waiting: CircularBuffer<EventLoopPromise<[UInt8]>> = []
    private var parts = ByteBuffer()
    private var isClosed = false
    private var rest: Scheduled<Void>?

    /// A receipt of one record is far shorter.
    private static let longest = 1 << 20

    func handlerAdded(context: ChannelHandlerContext) { startRest(context) }

    /// A text is to be sent.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let message = event as? PhoneMessage else { return context.fireUserInboundEventTriggered(event) }
        guard !isClosed else { return message.answer.fail(PhoneSocketError.closed) }
        waiting.append(message.answer)
        startRest(context)
        write(.text, ByteBuffer(bytes: message.text), context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .continuation:
            var bytes = frame.unmaskedData
            parts.writeBuffer(&bytes)
            guard parts.readableBytes <= Self.longest else { return end(context) }
            guard frame.fin else { return }
            let text = Array(buffer: parts)
            parts.clear()
            waiting.popFirst()?.succeed(text)
        case .ping: write(.pong, frame.unmaskedData, context)
        case .connectionClose: end(context)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context) }

    private func write(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: bytes)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext) {
        isClosed = true
        rest?.cancel()
        while let answer = waiting.popFirst() { answer.fail(PhoneSocketError.closed) }
        context.close(promise: nil)
    }

    /// Closes the connection a minute from now, unless another message comes before.
    private func startRest(_ context: ChannelHandlerContext) {
        rest?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        rest = context.eventLoop.scheduleTask(in: PhoneSocket.idle) {
            let (handler, context) = bound.value
            handler.write(.connectionClose, ByteBuffer(integer: UInt16(1_000)), context)
            handler.end(context)
        }
    }
}
