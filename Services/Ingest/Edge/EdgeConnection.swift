internal import IngestAPI
internal import IngestSupport
internal import IngestUploads
internal import NIOCore
internal import NIOHTTP1
internal import NIOTLS
internal import ServiceKit

/// One connection of a phone: takes a request's parts, hands it to the API when it is complete, writes the answer.
///
/// It only translates. ``EdgeConnectionCore`` decides what becomes of the connection, ``EdgeCall`` what becomes of the
/// request that is coming. Confined to its event loop.
final class EdgeConnection: ChannelDuplexHandler, RemovableChannelHandler, EdgeTimed {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let edge: Edge
    let rounds: EdgeRounds
    let eventLoop: any EventLoop
    var core: EdgeConnectionCore
    private(set) var context: ChannelHandlerContext?
    /// The request that is coming, until it is handed over.
    private var call: EdgeCall?
    /// When the phase is to end, checked about once a second.
    private var deadline = NIODeadline.distantFuture
    private var isGoingOn = false
    /// Until it is known whose the connection is; nil if nobody counts those.
    private let stranger: StrangerConnection?
    private var address = ClientAddress.none
    /// The page of another server that made the request under way, if it may.
    private var pageOrigin: String?

    init(_ edge: Edge, _ rounds: EdgeRounds, _ eventLoop: any EventLoop, _ stranger: StrangerConnection?) {
        self.edge = edge
        self.rounds = rounds
        self.eventLoop = eventLoop
        self.stranger = stranger
        core = EdgeConnectionCore(isSecure: edge.certificates != nil, partsAhead: edge.limits.partsAhead)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        address = ClientAddress(context.remoteAddress)
        settle()
        rounds.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        core.closed()
        settle()
        rounds.remove(self)
        self.context = nil
    }

    // MARK: - What the core says

    /// Sets the timer, and lets go of a call that is no longer needed; after every event.
    func settle() {
        if !core.holdsCall { call = nil }
        guard let timer = core.newTimer() else { return }
        deadline = deadline(of: timer)
    }

    private func deadline(of timer: EdgeConnectionCore.Timer) -> NIODeadline {
        switch timer {
        case .head: .now() + edge.limits.headTime
        case .body: .now() + edge.limits.bodyTime
        case .idle: .now() + edge.limits.idleTime
        case .linger: .now() + edge.limits.lingerTime
        case .off: .distantFuture
        }
    }

    /// Does what can be done now. What is answered at once comes back here, and is not gone on with twice.
    private func goOn() {
        guard !isGoingOn else { return }
        isGoingOn = true
        while let action = core.next() { perform(action) }
        isGoingOn = false
        settle()
    }

    private func perform(_ action: EdgeConnectionCore.Action) {
        switch action {
        case .take(let part): take(part)
        case .read: context?.read()
        case .refuse(let problem): answer(edge.api.refused(problem))
        case .finish: finish()
        case .close: context?.close(promise: nil)
        }
    }

    /// Does what an event asks for, and what can be done after it.
    func react(_ action: EdgeConnectionCore.Action?) {
        if let action { perform(action) }
        goOn()
    }

    // MARK: - Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if core.received(part) { take(part) }
        settle()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        core.readCompleted()
        settle()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if core.wantsRead() { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        core.writabilityChanged(context.channel.isWritable)
        goOn()
        context.fireChannelWritabilityChanged()
    }

    // MARK: - A request comes

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes): if let call { perform(call.receive(bytes)) }
        case .end: if let call { perform(call.complete()) }
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        let call = EdgeCall(head, edge, from: address)
        self.call = call
        pageOrigin = edge.origins.origin(of: call.head)
        let step = call.begin()
        if call.isOfDevice { stranger?.leave() }
        if call.asksToContinue { write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")) }
        perform(step)
    }

    private func perform(_ step: EdgeCall.Step) {
        switch step {
        case .wait: break
        case .hold: core.hold()
        case .lookUp(let token): lookUp(token)
        case .lookUpKey(let key): lookUp(key: key)
        case .answer(let answer): self.answer(answer)
        case .handOver(let call): handOver(call)
        case .upgrade(let session): upgrade(session)
        case .measure(let session): measure(session)
        case .echo(let session): echo(session)
        }
    }

    private func lookUp(_ token: Substring) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        edge.api.findDevice(token, from: address, on: eventLoop) { bound.value.found($0) }
    }

    private func lookUp(key: TokenHash) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        edge.api.findDevice(uploadKey: key, from: address, on: eventLoop) { result in
            bound.value.found(isKnown: (try? result.get()) != nil) { $0.found(keyed: result) }
        }
    }

    private func found(_ result: Result<DeviceIdentity, DeviceAPIError>) {
        found(isKnown: (try? result.get()) != nil) { $0.found(result) }
    }

    private func found(isKnown: Bool, _ tell: (EdgeCall) -> EdgeCall.Step) {
        if isKnown { stranger?.leave() }
        core.release()
        if let call { perform(tell(call)) }
        goOn()
    }

    private func handOver(_ call: DeviceCall) {
        core.handedOver()
        self.call = nil
        let (bound, size) = (NIOLoopBound(self, eventLoop: eventLoop), call.body.readableBytes)
        let hasBody = !call.head.isHead, isChunked = call.head.head.version.minor > 0
        let reply: @Sendable (Answer) -> Void = { answer in
            let connection = bound.value
            connection.edge.budget.give(size)
            var answer = answer
            answer.hasBody = hasBody
            answer.isChunked = isChunked
            connection.answer(answer)
        }
        let (api, loop) = (edge.api, eventLoop)
        guard size > EdgeTurns.smallBytes else { return api.answer(call, on: loop, reply) }
        rounds.turns.add(on: loop) { api.answer(call, on: loop, reply) }
    }

    // MARK: - Its answer

    /// Writes the answer of the request that is under way, if it is still wanted.
    private func answer(_ told: Answer) {
        var answer = told
        if !edge.origins.isEmpty { answer.share(with: pageOrigin) }
        let closes = answer.closes || answer.stream != nil && !answer.isChunked
        guard let isLast = core.beginAnswer(closes: closes), let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: answer.byteCount)
        answer.write(to: &buffer, closes: isLast, date: rounds.date)
        write(buffer)
        if let stream = answer.stream, answer.hasBody { return send(stream, isChunked: answer.isChunked) }
        react(core.endAnswer())
    }

    func write(_ buffer: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
        guard let context else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: promise)
    }

    // MARK: - The end

    /// Flushes what is written before the output is closed: if the phone has finished, too, closing would throw away the rest.
    private func finish() {
        let written = eventLoop.makePromise(of: Void.self), bound = NIOLoopBound(self, eventLoop: eventLoop)
        written.futureResult.whenComplete { _ in bound.value.closeOutput() }
        write(ByteBuffer(), promise: written)
    }

    private func closeOutput() {
        guard let context, core.outputFlushed() else { return }
        settle()
        context.close(mode: .output, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: react(core.stop())
        case ChannelEvent.inputClosed: react(core.inputClosed())
        case TLSUserEvent.handshakeCompleted:
            core.handshakeCompleted()
            settle()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What comes behind what was not HTTP is not, either.
        if Self.isUncleanEnd(error) || error is ByteToMessageDecoderError { return }
        if let error = error as? HTTPParserError { return react(core.receivedGarbage(DeviceAPIError(error))) }
        countIfHandshaking()
        react(core.failed())
    }

    /// Ends what is over its time.
    func check(now: NIODeadline) {
        guard now > deadline else { return }
        countIfHandshaking()
        react(core.timedOut())
    }

    private func countIfHandshaking() {
        if core.phase == .handshaking { edge.certificates?.countFailedHandshake() }
    }
}
