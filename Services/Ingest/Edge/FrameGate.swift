internal import IngestAPI
internal import IngestSupport
internal import NIOCore
internal import NIOWebSocket

/// Takes frames out of the bytes of a connection, one by one and no faster than they are wanted.
///
/// NIO's decoder reads the frames; what `ByteToMessageHandler` has not is a pause: one read may bring thousands of small
/// frames, and they wait here as bytes, not as messages. While frames are not wanted nothing is read from the socket, so
/// that a sender waits in its own buffers. What waits here is bounded by one read and counted in the budget of all bodies.
/// Confined to its event loop.
final class FrameGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = ByteBuffer

    private let decoder: WebSocketFrameDecoder
    private let budget: BodyBudget
    private unowned let connection: RealtimeConnection
    private var waiting = ByteBuffer()
    /// What is taken of the budget.
    private var counted = 0
    private var isDecoding = false
    private var wantsRead = false
    private var context: ChannelHandlerContext?

    /// - Parameter connection: behind it in the pipeline; says whether it wants frames.
    init(_ edge: Edge, before connection: RealtimeConnection) {
        decoder = WebSocketFrameDecoder(maxFrameSize: edge.limits.realtime.messageBytes)
        budget = edge.budget
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        budget.give(counted)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !connection.isOver else { return }
        connection.heard()
        var bytes = unwrapInboundIn(data)
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
        proceed()
    }

    func read(context: ChannelHandlerContext) {
        guard connection.mayRead else {
            wantsRead = true
            return
        }
        context.read()
    }

    /// Goes on after a pause, if frames are wanted again.
    func proceed() {
        guard let context, !isDecoding else { return }
        isDecoding = true
        decode(context)
        isDecoding = false
        if connection.isOver { waiting = ByteBuffer() }
        shrink()
        count()
        guard wantsRead, connection.mayRead else { return }
        wantsRead = false
        context.read()
    }

    private func decode(_ context: ChannelHandlerContext) {
        do {
            while connection.wantsFrames, try decoder.decode(context: context, buffer: &waiting) == .continue {}
        } catch NIOWebSocketError.invalidFrameLength {
            connection.close(with: .tooBig)
        } catch {
            connection.close(with: .broken("a control frame is short and whole"))
        }
    }

    /// A few bytes do not keep the memory of a whole read.
    private func shrink() {
        guard waiting.readableBytes > 0 else { return waiting = ByteBuffer() }
        guard waiting.readableBytes < waiting.storageCapacity / 4 else { return }
        var few = ByteBufferAllocator().buffer(capacity: waiting.readableBytes)
        few.writeImmutableBuffer(waiting)
        waiting = few
    }

    private func count() {
        let held = waiting.readableBytes + connection.heldBytes
        connection.holds(held)
        if held <= counted {
            budget.give(counted - held)
        } else if !budget.take(held - counted) {
            waiting = ByteBuffer()
            return connection.close(with: .busy)
        }
        counted = held
    }
}
