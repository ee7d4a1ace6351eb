internal import IngestAPI
internal import IngestSupport
internal import IngestUploads
internal import NIOCore
internal import NIOWebSocket
internal import ServiceKit

/// A phone's WebSocket: each message is a record, each is answered with its receipt, in the order of the messages.
///
/// Confined to its event loop. As many messages as the window has may wait for their receipts; then, or while the phone
/// does not take its receipts, nothing more is read (``FrameGate``). A close, from whichever side, comes after the answers
/// that are owed. The device is looked up for every message, so that a change of consent holds at once.
final class RealtimeConnection: ChannelInboundHandler, EdgeTimed {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum State {
        case open
        /// No more messages are taken; the answers that are owed are awaited, then the close frame is sent.
        case finishing(WebSocketFault)
        /// The close frame is sent; what still comes is thrown away until the time.
        case closing(until: NIODeadline)
    }

    private let edge: Edge
    private let rounds: EdgeRounds
    private let session: RealtimeSession
    private var state = State.open
    private var assembler: WebSocketAssembler
    private var answers: AnswerQueue
    /// A message whose device is being looked up.
    private var isLookingUp = false
    private var heardAt = NIODeadline.now()
    /// When the phone was asked for a sign of life that has not come.
    private var pingedAt: NIODeadline?
    /// Since when a message is incomplete.
    private var partSince: NIODeadline?
    private var context: ChannelHandlerContext?
    /// By which orders find this connection.
    private var ticket: Int?
    let eventLoop: any EventLoop
    /// In front of it in the pipeline.
    private(set) lazy var gate = FrameGate(edge, before: self)

    init(_ session: RealtimeSession, _ edge: Edge, _ rounds: EdgeRounds, _ eventLoop: any EventLoop) {
        self.session = session
        self.edge = edge
        self.rounds = rounds
        self.eventLoop = eventLoop
        assembler = WebSocketAssembler(edge.limits.realtime)
        answers = AnswerQueue(window: edge.limits.realtime.window)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        edge.api.metrics.sockets.add(1)
        rounds.add(self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticket = edge.api.orders.open(session.device, now: edge.api.clock.now()) { [eventLoop] text, done in
            eventLoop.execute { bound.value.tell(text, done) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        rounds.remove(self)
        if let ticket { edge.api.orders.close(ticket, of: session.device) }
        edge.api.metrics.sockets.add(-1)
        self.context = nil
    }

    /// Reads what was held back while the opening was looked at.
    func begin() { context?.read() }

    // MARK: - What the gate asks and tells

    /// True while the next frame may come.
    var wantsFrames: Bool {
        guard case .open = state, let context else { return false }
        return !answers.isFull && !isLookingUp && context.channel.isWritable
    }

    /// What comes after the close frame is read, so that the end is seen, and thrown away.
    var mayRead: Bool { wantsFrames || isClosing }

    var isClosing: Bool {
        if case .closing = state { return true }
        return false
    }

    /// True once no message is taken any more.
    var isOver: Bool {
        if case .open = state { return false }
        return true
    }

    /// Bytes of the message that is coming, whose frames have left the gate.
    var heldBytes: Int { assembler.heldBytes }

    /// The phone is alive.
    func heard() {
        heardAt = .now()
        pingedAt = nil
    }

    /// So many bytes of messages are incomplete or wait.
    func holds(_ bytes: Int) { partSince = bytes > 0 && wantsFrames ? partSince ?? .now() : nil }

    // MARK: - Messages

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(WebSocketFault) {
            switch try assembler.take(unwrapInboundIn(data), at: .now()) {
            case .part, .pong: break
            case .message(let message): take(message)
            case .ping(let payload): write(.pong, payload, context)
            case .close(let fault): close(with: fault)
            }
        } catch { close(with: error) }
    }

    private func take(_ message: ByteBuffer) {
        if let device = edge.api.directory.known(session.token) { return record(message, device) }
        isLookingUp = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        edge.api.findDevice(session.token, on: eventLoop) { bound.value.found($0, for: message) }
    }

    private func found(_ result: Result<DeviceIdentity?, DeviceAPIError>, for message: ByteBuffer) {
        isLookingUp = false
        guard case .open = state else { return }
        switch result {
        case .success(let device?): record(message, device)
        case .success(nil): close(with: .revoked)
        case .failure(let problem) where problem.reason == .deviceErased: close(with: .revoked)
        case .failure(let problem): close(with: problem == .busy ? .busy : .lookUpFailed)
        }
        gate.proceed()
    }

    private func record(_ message: ByteBuffer, _ device: DeviceIdentity) {
        let number = answers.begin()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        edge.api.record(message, of: device, in: session, on: eventLoop) { result in
            bound.value.answer(number, result)
        }
    }

    private func answer(_ number: Int, _ result: Result<Receipt, DeviceAPIError>) {
        switch result {
        case .success(let receipt): answers.fill(number, receipt.body)
        case .failure(let problem): answers.fill(number, problem.body(ofMessage: number))
        }
        guard let context else { return }
        while let answer = answers.next() {
            var text = context.channel.allocator.buffer(capacity: answer.count)
            text.writeBytes(answer)
            context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: text)), promise: nil)
        }
        context.flush()
        sayGoodbyeIfDue()
        gate.proceed()
    }

    /// Sends what answers no message: an order. An order for a device that does not keep up, or whose connection is closing, is not
    /// sent, and so not carried out.
    private func tell(_ text: [UInt8], _ done: @escaping @Sendable (_ isWritten: Bool) -> Void) {
        guard case .open = state, let context, context.channel.isWritable else { return done(false) }
        var message = context.channel.allocator.buffer(capacity: text.count)
        message.writeBytes(text)
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: message))).whenComplete {
            if case .success = $0 { done(true) } else { done(false) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        gate.proceed()
        context.fireChannelWritabilityChanged()
    }

    private func write(_ opcode: WebSocketOpcode, _ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: payload)), promise: nil)
    }

    // MARK: - Ends

    /// Takes no more messages, answers those it has taken, and says why it closes.
    func close(with fault: WebSocketFault) {
        guard case .open = state else { return }
        state = .finishing(fault)
        sayGoodbyeIfDue()
    }

    private func sayGoodbyeIfDue() {
        guard case .finishing(let fault) = state, answers.isEmpty, let context else { return }
        state = .closing(until: .now() + edge.limits.lingerTime)
        var payload = ByteBuffer()
        if let code = fault.code {
            payload.writeInteger(code)
            payload.writeString(fault.reason)
        }
        write(.connectionClose, payload, context)
        context.close(mode: .output, promise: nil)
        gate.proceed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: close(with: .stopping)
        case ChannelEvent.inputClosed: isClosing ? context.close(promise: nil) : close(with: .gone)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !EdgeConnection.isUncleanEnd(error) { context.close(promise: nil) }
    }

    // MARK: - Once a second

    func check(now: NIODeadline) {
        guard let context else { return }
        switch state {
        case .closing(let end): if now > end { context.close(promise: nil) }
        case .finishing: break
        case .open:
            if edge.api.directory.isRevoked(session.device) { return close(with: .revoked) }
            if let partSince, now - partSince > edge.limits.realtime.messageTime { return close(with: .tooSlow) }
            checkSilence(now, context)
        }
    }

    /// A phone that does not even take its receipts is asked for nothing; its time runs all the same.
    private func checkSilence(_ now: NIODeadline, _ context: ChannelHandlerContext) {
        let idle = edge.limits.realtime.idleTime
        if let pingedAt {
            if now - pingedAt > idle { close(with: .idle) }
        } else if now - heardAt > idle {
            pingedAt = now
            if context.channel.isWritable { write(.ping, ByteBuffer(), context) }
        }
    }
}
