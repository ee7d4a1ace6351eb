import NIOCore

/// One keep-alive connection: sends a request's bytes, gathers the answer. Confined to the event loop.
final class LoadConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let owner: LoadConnections
    private let timeout: TimeAmount
    private var context: ChannelHandlerContext?
    private var completion: LoadPool.Completion?
    /// What came of the answer.
    private var received = ByteBuffer()
    private var sentAt = NIODeadline.uptimeNanoseconds(0)
    private var watch: Scheduled<Void>?
    private var failure: LoadFailure?

    init(owner: LoadConnections, timeout: TimeAmount) {
        self.owner = owner
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func send(_ request: LoadRequest, _ completion: @escaping LoadPool.Completion) {
        guard let context, context.channel.isActive else {
            owner.forget(self)
            return completion(.failure(.connectionLost("closed before the request")))
        }
        self.completion = completion
        sentAt = .now()
        if watch == nil { startWatch(context) }
        context.writeAndFlush(wrapOutboundOut(request.bytes), promise: nil)
    }

    func close() { context?.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard completion != nil else {
            // What nobody asked for belongs to no request.
            owner.forget(self)
            return context.close(promise: nil)
        }
        var bytes = unwrapInboundIn(data)
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
        do {
            guard let (response, isKeepAlive) = try LoadAnswer.take(from: &received) else { return }
            finish(response, isKeepAlive: isKeepAlive, context)
        } catch {
            errorCaught(context: context, error: error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch?.cancel()
        owner.forget(self)
        fail(failure ?? .connectionLost("the service closed it"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? owner.security?.refusal(error) ?? .lost(error)
        context.close(promise: nil)
    }

    private func finish(_ response: LoadResponse, isKeepAlive: Bool, _ context: ChannelHandlerContext) {
        let done = completion
        completion = nil
        if isKeepAlive, received.readableBytes == 0 {
            received = ByteBuffer()
            owner.rest(self)
        } else {
            context.close(promise: nil)
        }
        done?(.success(response))
    }

    private func fail(_ failure: LoadFailure) {
        let done = completion
        completion = nil
        done?(.failure(failure))
    }

    /// One timer for the connection's life, not one for each request: it looks now and then.
    private func startWatch(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        watch = context.eventLoop.scheduleTask(in: .nanoseconds(timeout.nanoseconds / 4)) { bound.value.look() }
    }

    private func look() {
        guard let context else { return }
        if completion != nil, .now() - sentAt > timeout {
            failure = .timedOut
            context.close(promise: nil)
        } else {
            startWatch(context)
        }
    }
}
