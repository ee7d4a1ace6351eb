internal import IngestSupport
internal import IngestUploads
internal import NIOCore
internal import ServiceKit

/// A speed test over a WebSocket: a download sends messages as fast as the connection takes them, an upload counts what comes.
///
/// Confined to its event loop. Of a download one message waits at most, of an upload nothing is kept: what comes is counted and
/// thrown away. A turn moves a few megabytes and leaves the loop to others.
final class SpeedTestConnection: ChannelInboundHandler, EdgeTimed {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes that a turn sends.
    private static let turnBytes = 4 << 20
    /// What messages are made of; random, as nothing on the way shall make it smaller.
    private static let payload: ByteBuffer = {
        var random = SystemRandomNumberGenerator(), bytes = ByteBuffer()
        for _ in 0..<SpeedTestCore.mostBytes / 8 { bytes.writeInteger(random.next()) }
        return bytes
    }()

    private let edge: Edge
    private let rounds: EdgeRounds
    private let address: ClientAddress
    private var core: SpeedTestCore
    private var skipper = FrameSkipper(messageBytes: 1 << 24)
    private let beganAt = NIODeadline.now()
    private let id: String
    private var context: ChannelHandlerContext?
    private var timer: RepeatedTask?
    /// What was told to the budget.
    private var counted = 0
    private var outcome = SpeedTestBudget.Outcome.broken
    private var closingSince: NIODeadline?
    private var isTurnAsked = false
    let eventLoop: any EventLoop

    init(_ session: SpeedTestSession, _ edge: Edge, _ rounds: EdgeRounds, _ eventLoop: any EventLoop) {
        core = SpeedTestCore(session.direction, limit: session.limit)
        address = session.address
        id = session.id
        self.edge = edge
        self.rounds = rounds
        self.eventLoop = eventLoop
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        rounds.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        rounds.remove(self)
        count()
        edge.speedTests.end(outcome, from: address)
        self.context = nil
    }

    /// Begins, once the opening is answered.
    func begin() {
        let bound = NIOLoopBound(self, eventLoop: eventLoop), pause = TimeAmount.nanoseconds(SpeedTestCore.pause)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in bound.value.tell() }
        turn()
        context?.read()
    }

    private var elapsed: Int64 { (.now() - beganAt).nanoseconds }

    // MARK: - Download

    /// Sends until the connection takes no more, the turn is over, or the test is.
    private func turn() {
        isTurnAsked = false
        guard let context, closingSince == nil, core.direction == .download else { return }
        // While messages are on their way there is seldom room when the timer comes.
        tell()
        var sent = 0
        while context.channel.isWritable, sent < Self.turnBytes {
            guard let next = core.nextMessage(at: elapsed) else { return finish() }
            write(opcode: 2, Self.payload.getSlice(at: 0, length: next)!)
            sent += next
        }
        count()
        if context.channel.isWritable { askForTurn() }
    }

    private func askForTurn() {
        guard !isTurnAsked else { return }
        isTurnAsked = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.turn() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { askForTurn() }
        context.fireChannelWritabilityChanged()
    }

    // MARK: - What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(FrameSkipper.Fault) {
            try skipper.take(unwrapInboundIn(data)) { take($0) }
        } catch { return close(code: error.rawValue, .broken) }
        count()
        guard closingSince == nil else { return }
        if core.isFlooded { return close(code: 1008, .broken) }
        if core.direction == .upload, core.isOver(at: elapsed) { finish() }
    }

    private func take(_ event: FrameSkipper.Event) {
        guard closingSince == nil else { return }
        switch event {
        case .bytes(let count, let isText):
            // A download brings texts alone; anything else counts as a flood of them.
            core.received(count, isText: isText || core.direction == .download)
        case .message, .pong: break
        case .ping(let payload):
            if context?.channel.isWritable == true { write(opcode: 10, ByteBuffer(bytes: payload)) }
        case .close: close(code: 1000, .done)
        }
    }

    // MARK: - What is told

    private func tell() {
        guard let context, closingSince == nil, context.channel.isWritable, core.tells(at: elapsed) else { return }
        measure(context) { $0.write(opcode: 1, ByteBuffer(bytes: $1)) }
    }

    /// Asks the kernel, and hands on what there is to tell.
    private func measure(_ context: ChannelHandlerContext, _ then: @escaping (SpeedTestConnection, [UInt8]) -> Void) {
        let time = elapsed / 1_000, bytes = core.bytes, channel = context.channel
        let measurement = SpeedTestMeasurement(
            direction: core.direction, elapsed: time, bytes: bytes,
            client: "\(channel.remoteAddress?.description ?? "")",
            server: "\(channel.localAddress?.description ?? "")", id: id)
        guard let options = channel as? any SocketOptionProvider else { return then(self, measurement.text) }
        let bound = NIOLoopBound((self, then), eventLoop: eventLoop)
        options.getTCPInfo().whenComplete { result in
            var told = measurement
            told.kernel = try? result.get()
            let (connection, then) = bound.value
            if connection.context != nil { then(connection, told.text) }
        }
    }

    private func write(opcode: UInt8, _ payload: ByteBuffer) {
        guard let context else { return }
        var frame = context.channel.allocator.buffer(capacity: 10)
        frame.writeInteger(0x80 | opcode)
        switch payload.readableBytes {
        case ...125: frame.writeInteger(UInt8(payload.readableBytes))
        case ...65_535: frame.writeMultipleIntegers(UInt8(126), UInt16(payload.readableBytes))
        default: frame.writeMultipleIntegers(UInt8(127), UInt64(payload.readableBytes))
        }
        context.write(wrapOutboundOut(frame), promise: nil)
        context.writeAndFlush(wrapOutboundOut(payload), promise: nil)
    }

    // MARK: - The end

    private func count() {
        edge.speedTests.moved(core.bytes - counted, from: address)
        counted = core.bytes
    }

    /// The test is over: its last measurement, then a clean close.
    private func finish() {
        guard let context, closingSince == nil else { return }
        let outcome: SpeedTestBudget.Outcome = core.bytes >= core.limit ? .capped : .done
        measure(context) { connection, text in
            connection.write(opcode: 1, ByteBuffer(bytes: text))
            connection.close(code: 1000, outcome)
        }
    }

    private func close(code: UInt16, _ outcome: SpeedTestBudget.Outcome) {
        guard closingSince == nil, let context else { return }
        self.outcome = outcome
        closingSince = .now()
        timer?.cancel()
        write(opcode: 8, ByteBuffer(integer: code))
        context.close(mode: .output, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: close(code: 1001, .broken)
        case ChannelEvent.inputClosed: closingSince == nil ? close(code: 1000, .broken) : context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !EdgeConnection.isUncleanEnd(error) { context.close(promise: nil) }
    }

    /// Once a second: who does not take what is sent, or goes on sending, is cut off.
    func check(now: NIODeadline) {
        guard let context else { return }
        if let closingSince {
            if now - closingSince > edge.limits.lingerTime { context.close(promise: nil) }
        } else if elapsed > SpeedTestCore.longest {
            // Its output may be stuck: what waits is thrown away with the connection.
            context.channel.isWritable ? finish() : context.close(promise: nil)
        }
    }
}
