internal import NIOCore
internal import NIOHTTP1
internal import NIOTLS
internal import ServiceKit

/// One connection of a phone: takes a request's parts, hands it to the API when it is complete, writes the answer.
///
/// Confined to its event loop. While a request is answered reading goes on until something has come ahead (pipelining): that
/// is kept and taken up after the answer, and the rest waits in the client's own buffers. A client that sends nothing ahead
/// costs no change of what the event loop waits for. One that sends more ahead than is kept has the rest thrown away, and is
/// closed after what was kept; one that does not take its answers gets nothing more.
/// An answer that comes before the end of a body closes the connection after it.
final class EdgeConnection: ChannelDuplexHandler, RemovableChannelHandler, EdgeTimed {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    enum State {
        /// TLS is being agreed upon.
        case handshaking
        /// Between two requests.
        case idle
        /// A head has come, its body comes.
        case receiving
        /// The API has the request.
        case answering(keepsAlive: Bool)
        /// The last answer is written; what still comes is thrown away.
        case closing
    }

    let edge: Edge
    let rounds: EdgeRounds
    private(set) var state: State
    /// The request that is coming, until it is handed over.
    private var call: EdgeCall?
    private var isBodyHeld = false
    /// When this part of the state is to end, checked about once a second.
    var deadline: NIODeadline
    private var hasHeadBegun = false
    /// A part of a request has come since something was read last.
    private var hasPartCome = false
    /// What came behind a request that is being answered, or whose answer its client does not take.
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var wantsRead = false
    private var isGoingOn = false
    /// Nothing more is taken: more came ahead than is kept, what came is not HTTP, or the phone has finished. What is kept is answered.
    private var isLast = false
    private var isOutputClosed = false
    private var isStopping = false
    private(set) var context: ChannelHandlerContext?
    let eventLoop: any EventLoop
    /// Until it is known whose the connection is; nil if nobody counts those.
    private let stranger: StrangerConnection?
    private var address = ClientAddress.none

    init(_ edge: Edge, _ rounds: EdgeRounds, _ eventLoop: any EventLoop, _ stranger: StrangerConnection?) {
        self.edge = edge
        self.stranger = stranger
        self.rounds = rounds
        self.eventLoop = eventLoop
        state = edge.certificates == nil ? .idle : .handshaking
        deadline = .now() + (edge.certificates == nil ? edge.limits.idleTime : edge.limits.headTime)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        address = ClientAddress(context.remoteAddress)
        rounds.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        forgetBody()
        rounds.remove(self)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        hasPartCome = true
        switch state {
        case .answering: keep(part)
        case .idle where !waiting.isEmpty || !takesAnswers: keep(part)
        case .closing: break
        case .handshaking, .idle, .receiving: take(part)
        }
    }

    private func keep(_ part: HTTPServerRequestPart) {
        guard !isLast else { return }
        if waiting.count == edge.limits.partsAhead { isLast = true } else { waiting.append(part) }
    }

    /// Bytes have come without completing a head: from now on it has a time in which to come.
    func channelReadComplete(context: ChannelHandlerContext) {
        if case .idle = state, !hasHeadBegun, !hasPartCome, takesAnswers {
            hasHeadBegun = true
            deadline = .now() + edge.limits.headTime
        }
        hasPartCome = false
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        guard mayRead else {
            wantsRead = true
            return
        }
        context.read()
    }

    private var mayRead: Bool {
        switch state {
        case .handshaking, .closing: true
        case .idle: takesAnswers
        case .answering: waiting.isEmpty
        case .receiving: !isBodyHeld
        }
    }

    /// Whether the client takes what it was answered: who does not gets nothing more, so that answers do not gather here.
    private var takesAnswers: Bool { context?.channel.isWritable ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .idle = state, takesAnswers {
            if !hasHeadBegun { deadline = .now() + edge.limits.idleTime }
            goOn()
        }
        context.fireChannelWritabilityChanged()
    }

    /// Reads on if it was wanted and is allowed again.
    private func resumeReading() {
        guard wantsRead, mayRead, let context else { return }
        wantsRead = false
        context.read()
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes): receive(bytes)
        case .end: complete()
        }
    }

    // MARK: - A request comes

    private func begin(_ head: HTTPRequestHead) {
        hasHeadBegun = false
        deadline = .now() + edge.limits.bodyTime
        let call = EdgeCall(head, edge, from: address)
        state = .receiving
        self.call = call
        let step = call.begin()
        if call.isOfDevice { stranger?.leave() }
        if call.asksToContinue { writeContinue() }
        perform(step)
    }

    private func receive(_ bytes: ByteBuffer) {
        guard case .receiving = state, let call else { return }
        perform(call.receive(bytes))
    }

    private func complete() {
        guard case .receiving = state, let call else { return }
        state = .answering(keepsAlive: call.head.keepsAlive)
        deadline = .distantFuture
        perform(call.complete())
    }

    private func perform(_ step: EdgeCall.Step) {
        switch step {
        case .wait: break
        case .hold: isBodyHeld = true
        case .lookUp(let token): lookUp(token)
        case .answer(let answer): self.answer(answer)
        case .handOver(let call): handOver(call)
        case .upgrade(let session): upgrade(session)
        }
    }

    private func lookUp(_ token: Substring) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        edge.api.findDevice(token, from: address, on: eventLoop) { bound.value.found($0) }
    }

    private func found(_ result: Result<DeviceIdentity, Problem>) {
        if case .success = result { stranger?.leave() }
        isBodyHeld = false
        if let call { perform(call.found(result)) }
        if case .answering = state { return }
        resumeReading()
    }

    private func handOver(_ call: DeviceCall) {
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

    /// A request that has come is carried out although its sender has gone.
    private func forgetBody() {
        if case .receiving = state { call = nil }
        state = .closing
    }

    // MARK: - Answers

    /// Writes the answer of the request that is under way; on the event loop.
    private func answer(_ answer: Answer) {
        guard let context else { return }
        switch state {
        case .answering(let keepsAlive):
            call = nil
            write(answer, context, closes: !keepsAlive || isStopping)
        case .receiving:
            call = nil
            write(answer, context, closes: true)
        case .handshaking, .idle, .closing: return
        }
    }

    /// Tells a phone that waits for it (RFC 9110, 10.1.1) to send its body.
    private func writeContinue() {
        context?.writeAndFlush(wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }

    private func write(_ answer: Answer, _ context: ChannelHandlerContext, closes: Bool) {
        let closes = closes || answer.closes || answer.stream != nil && !answer.isChunked
        var buffer = context.channel.allocator.buffer(capacity: answer.byteCount)
        answer.write(to: &buffer, closes: closes, date: rounds.date)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        if let stream = answer.stream, answer.hasBody {
            state = .answering(keepsAlive: !closes)
            return send(stream, isChunked: answer.isChunked)
        }
        end(context, closes: closes)
    }

    /// The last piece of a long answer is written.
    func endAnswer(_ context: ChannelHandlerContext) {
        guard case .answering(let keepsAlive) = state else { return }
        end(context, closes: !keepsAlive || isStopping)
    }

    private func end(_ context: ChannelHandlerContext, closes: Bool) {
        if closes { return beginClosing(context) }
        state = .idle
        deadline = .now() + (takesAnswers ? edge.limits.idleTime : edge.limits.bodyTime)
        goOn()
    }

    /// Takes up what came ahead, and reads on. What is answered at once comes back here, and is not gone on with twice.
    private func goOn() {
        guard !isGoingOn else { return }
        isGoingOn = true
        defer { isGoingOn = false }
        while takesMore, let part = waiting.popFirst() { take(part) }
        if case .answering = state { return }
        if isLast, waiting.isEmpty { return endBehindKept() }
        resumeReading()
    }

    /// Whether what came ahead is taken up now; a request that has begun in any case, as what comes behind it follows directly.
    private var takesMore: Bool {
        switch state {
        case .handshaking, .answering, .closing: false
        case .idle: takesAnswers
        case .receiving: true
        }
    }

    /// What was kept is answered; of a request that has begun no more comes.
    private func endBehindKept() {
        guard let context else { return }
        if case .closing = state { return }
        call = nil
        beginClosing(context)
    }

    /// Says that no more is sent, and throws away what still comes: closing at once could take the answer with it.
    private func beginClosing(_ context: ChannelHandlerContext) {
        state = .closing
        waiting.removeAll()
        deadline = .now() + edge.limits.bodyTime
        // First what is written: if the phone has finished, too, closing would throw away the rest of it.
        let written = eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        written.futureResult.whenComplete { _ in bound.value.closeOutput() }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
        resumeReading()
    }

    private func closeOutput() {
        guard let context, case .closing = state else { return }
        isOutputClosed = true
        deadline = .now() + edge.limits.lingerTime
        context.close(mode: .output, promise: nil)
    }

    // MARK: - Ends

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: stop(context)
        case ChannelEvent.inputClosed: inputClosed(context)
        case TLSUserEvent.handshakeCompleted: beginRequests()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func beginRequests() {
        state = .idle
        deadline = .now() + edge.limits.idleTime
    }

    /// The program stops: what is under way is answered, the rest is closed.
    private func stop(_ context: ChannelHandlerContext) {
        isStopping = true
        switch state {
        case .idle where !takesAnswers: beginClosing(context)
        case .handshaking, .idle: context.close(promise: nil)
        case .receiving, .answering, .closing: break
        }
    }

    /// The phone sends no more; an answer it waits for is still written.
    private func inputClosed(_ context: ChannelHandlerContext) {
        if limitToKept() { return }
        switch state {
        case .answering: state = .answering(keepsAlive: false)
        case .idle: beginClosing(context)
        case .closing where !isOutputClosed: break
        case .handshaking, .receiving, .closing: context.close(promise: nil)
        }
    }

    /// From now on only requests that are kept are taken up, and the connection ends behind their answers; false if none are kept.
    private func limitToKept() -> Bool {
        if !waiting.isEmpty { isLast = true }
        return !waiting.isEmpty
    }

    /// What is not HTTP is answered and ends the connection; behind a request that is being answered it only ends it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What comes behind what was not HTTP is not, either.
        if Self.isUncleanEnd(error) || error is ByteToMessageDecoderError { return }
        guard let error = error as? HTTPParserError else {
            if case .handshaking = state { edge.certificates?.countFailedHandshake() }
            return context.close(promise: nil)
        }
        if limitToKept() { return }
        switch state {
        case .answering: state = .answering(keepsAlive: false)
        case .closing: break
        case .handshaking: context.close(promise: nil)
        case .idle: refuse(Problem(error))
        case .receiving: refuse(Problem(error))
        }
    }

    private func refuse(_ problem: Problem) {
        state = .answering(keepsAlive: false)
        answer(edge.api.refused(problem))
    }

    /// Closes what is over its time.
    func check(now: NIODeadline) {
        guard now > deadline, let context else { return }
        switch state {
        case .handshaking:
            edge.certificates?.countFailedHandshake()
            context.close(promise: nil)
        // Of a long answer, which its reader does not take.
        case .answering: context.close(promise: nil)
        case .idle where !hasHeadBegun, .closing: context.close(promise: nil)
        case .idle, .receiving: refuse(.tooSlow)
        }
    }
}
