internal import IngestUploads
internal import NIOCore
internal import NIOHTTP1

/// The decisions of one HTTP/1.1 connection: which part of a request is taken when, when the socket is read, which answer is
/// the last, and how the connection ends. No channel, clock or call inside.
///
/// ``EdgeConnection`` tells it what happens and does what it says. After each event it asks ``newTimer()`` and ``holdsCall``,
/// and after those that may let it go on, ``next()`` until there is nothing more to do.
///
/// While a request is answered, reading goes on until something has come ahead (pipelining). That is kept and taken up after
/// the answer, and the rest waits in the client's own buffers: a client that sends nothing ahead costs no change of what the
/// event loop waits for. If more comes ahead than is kept, the rest is thrown away, and the connection ends after the answers
/// to what was kept. A client that does not take its answers gets no more of them. An answer that is given before the end of
/// a body ends the connection.
struct EdgeConnectionCore {
    enum Phase: Hashable {
        /// TLS is being negotiated.
        case handshaking
        /// Between two requests. `hasHeadBegun`: bytes of the next head have come.
        case idle(hasHeadBegun: Bool)
        /// A head has come, its body is coming. `isHeld`: the rest waits in the socket until the sender is known.
        case receiving(isHeld: Bool)
        /// The request has come, and has not been handed over yet.
        case complete
        /// The API has the request.
        case answering
        /// The head of the answer is written, its body may still be on its way.
        case sending
        /// The last answer is written, and whatever still comes is thrown away.
        case closing(isOutputClosed: Bool)
        /// The channel is closed or belongs to a WebSocket.
        case closed
    }

    /// What the connection does.
    enum Action {
        /// Takes a part that was kept.
        case take(HTTPServerRequestPart)
        /// Makes up for a read that was held.
        case read
        /// Answers with a problem; the connection ends with it.
        case refuse(DeviceAPIError)
        /// Flushes what is written and tells ``outputFlushed()``.
        case finish
        /// Closes the channel.
        case close
    }

    /// How long the phase may last, from when the timer is set.
    enum Timer { case head, body, idle, linger, off }

    private enum Ahead {
        case part(HTTPServerRequestPart)
        /// Nothing more is taken: the connection ends here.
        case end
    }

    private(set) var phase: Phase
    /// What came behind a request that is being answered, or whose answer the client does not take.
    private var ahead = CircularBuffer<Ahead>()
    private let partsAhead: Int
    private var endsWithAnswer = false
    private var isWritable = true
    private var isReadHeld = false
    /// A part has come in this turn of reading.
    private var hasPartCome = false
    private var timer: Timer?

    /// - Parameters:
    ///   - isSecure: TLS is negotiated first.
    ///   - partsAhead: most parts of requests that are kept while one is answered.
    init(isSecure: Bool, partsAhead: Int) {
        phase = isSecure ? .handshaking : .idle(hasHeadBegun: false)
        timer = isSecure ? .head : .idle
        self.partsAhead = partsAhead
    }

    /// The timer to be set, if the last event changed it.
    mutating func newTimer() -> Timer? {
        defer { timer = nil }
        return timer
    }

    /// Whether the connection still needs the call of the request that has begun.
    var holdsCall: Bool {
        switch phase {
        case .receiving, .complete: true
        case .handshaking, .idle, .answering, .sending, .closing, .closed: false
        }
    }

    mutating func handshakeCompleted() { if phase == .handshaking { becomeIdle() } }

    private mutating func becomeIdle() {
        phase = .idle(hasHeadBegun: false)
        timer = isWritable ? .idle : .body
    }

    // MARK: - Reading

    /// The channel wants to read. True if it may now; if not, ``next()`` makes up for it.
    mutating func wantsRead() -> Bool {
        isReadHeld = !mayRead
        return mayRead
    }

    private var mayRead: Bool {
        switch phase {
        case .handshaking, .closing, .closed: true
        case .idle: isWritable
        case .receiving(let isHeld): !isHeld
        case .complete, .answering, .sending: ahead.isEmpty
        }
    }

    /// A turn of reading is over. If bytes came and no head did, one has begun, and has a time in which to come.
    mutating func readCompleted() {
        if case .idle(hasHeadBegun: false) = phase, !hasPartCome, isWritable {
            phase = .idle(hasHeadBegun: true)
            timer = .head
        }
        hasPartCome = false
    }

    /// The client takes its answers, or does not for now.
    mutating func writabilityChanged(_ isWritable: Bool) {
        self.isWritable = isWritable
        if isWritable, phase == .idle(hasHeadBegun: false) { timer = .idle }
    }

    /// What is to be done now that something has changed: called until it returns nil.
    mutating func next() -> Action? {
        while takesKept, let next = ahead.popFirst() {
            guard case .part(let part) = next else { return finish() }
            if accepts(part) { return .take(part) }
        }
        guard isReadHeld, !isAnswering, mayRead else { return nil }
        isReadHeld = false
        return .read
    }

    /// Of a request that has begun the rest follows directly.
    private var takesKept: Bool {
        switch phase {
        case .handshaking, .complete, .answering, .sending, .closing, .closed: false
        case .idle: isWritable || isEndNext
        case .receiving: true
        }
    }

    private var isEndNext: Bool {
        if case .end? = ahead.first { return true }
        return false
    }

    private var isAnswering: Bool {
        switch phase {
        case .complete, .answering, .sending: true
        case .handshaking, .idle, .receiving, .closing, .closed: false
        }
    }

    // MARK: - A request comes

    /// A part has come. True if the connection takes it now; if not, it is kept or thrown away.
    mutating func received(_ part: HTTPServerRequestPart) -> Bool {
        hasPartCome = true
        switch phase {
        case .complete, .answering, .sending: keep(part)
        case .idle where !ahead.isEmpty || !isWritable: keep(part)
        case .handshaking, .idle, .receiving: return accepts(part)
        case .closing, .closed: break
        }
        return false
    }

    private mutating func keep(_ part: HTTPServerRequestPart) {
        if case .end? = ahead.last { return }
        ahead.append(ahead.count < partsAhead ? .part(part) : .end)
    }

    private mutating func accepts(_ part: HTTPServerRequestPart) -> Bool {
        switch part {
        case .head(let head):
            phase = .receiving(isHeld: false)
            if !head.keepsConnection { endsWithAnswer = true }
            timer = .body
            return true
        case .body:
            if case .receiving = phase { return true }
        case .end:
            guard case .receiving = phase else { break }
            phase = .complete
            timer = .off
            return true
        }
        return false
    }

    /// No more of the body is read for now.
    mutating func hold() { if case .receiving = phase { phase = .receiving(isHeld: true) } }

    /// The sender is known: the body may come.
    mutating func release() { if case .receiving = phase { phase = .receiving(isHeld: false) } }

    /// The API has the request.
    mutating func handedOver() { if phase == .complete { phase = .answering } }

    // MARK: - Its answer

    /// An answer is there.
    ///
    /// - Parameter closes: the answer itself ends the connection.
    /// - Returns: whether the connection ends with it; nil if it is not wanted, as the request was answered or given up before.
    mutating func beginAnswer(closes: Bool) -> Bool? {
        switch phase {
        case .complete, .answering: if closes { endsWithAnswer = true }
        case .receiving: endsWithAnswer = true
        case .handshaking, .idle, .sending, .closing, .closed: return nil
        }
        phase = .sending
        return endsWithAnswer
    }

    /// A piece of a long answer is made and is being written: the client has as long for it as for a body.
    mutating func pieceMade() { if phase == .sending { timer = .body } }

    /// The piece is written, and the next one is being made.
    mutating func pieceWritten() { if phase == .sending { timer = .off } }

    /// The answer is written.
    mutating func endAnswer() -> Action? {
        guard phase == .sending else { return nil }
        if endsWithAnswer { return finish() }
        becomeIdle()
        return nil
    }

    // MARK: - The end

    /// Says that no more is sent and throws away what still comes: closing at once could take the last answer with it.
    private mutating func finish() -> Action {
        phase = .closing(isOutputClosed: false)
        ahead.removeAll()
        timer = .body
        return .finish
    }

    /// What was written has left; true if the output is to be closed.
    mutating func outputFlushed() -> Bool {
        guard case .closing = phase else { return false }
        phase = .closing(isOutputClosed: true)
        timer = .linger
        return true
    }

    private mutating func close() -> Action {
        closed()
        return .close
    }

    /// The channel is closed. A request that has come is carried out all the same.
    mutating func closed() {
        if !ahead.isEmpty { ahead.removeAll() }
        if phase == .complete { endsWithAnswer = true } else { phase = .closed }
    }

    /// The program stops: what is under way is answered, the rest is closed.
    mutating func stop() -> Action? {
        endsWithAnswer = true
        switch phase {
        case .idle where !isWritable: return finish()
        case .handshaking, .idle: return close()
        case .receiving, .complete, .answering, .sending, .closing, .closed: return nil
        }
    }

    /// The client sends no more; an answer it waits for is still written.
    mutating func inputClosed() -> Action? {
        if endsBehindKept() { return nil }
        switch phase {
        case .complete, .answering, .sending: endsWithAnswer = true
        case .idle: return finish()
        case .closing(isOutputClosed: false): break
        case .handshaking, .receiving, .closing, .closed: return close()
        }
        return nil
    }

    /// What came is not HTTP: that is answered, but not behind a request that is being answered.
    mutating func receivedGarbage(_ problem: DeviceAPIError) -> Action? {
        if endsBehindKept() { return nil }
        switch phase {
        case .complete, .answering, .sending: endsWithAnswer = true
        case .closing, .closed: break
        case .handshaking: return close()
        case .idle, .receiving: return refuse(problem)
        }
        return nil
    }

    /// The channel has failed.
    mutating func failed() -> Action { close() }

    /// The timer has run out.
    mutating func timedOut() -> Action {
        switch phase {
        case .idle(hasHeadBegun: true), .receiving: refuse(.tooSlow)
        case .handshaking, .idle, .complete, .answering, .sending, .closing, .closed: close()
        }
    }

    private mutating func refuse(_ problem: DeviceAPIError) -> Action {
        phase = .answering
        endsWithAnswer = true
        timer = .off
        return .refuse(problem)
    }

    /// From now on only what is kept is taken up, and the connection ends behind it; false if nothing is kept.
    private mutating func endsBehindKept() -> Bool {
        guard let last = ahead.last else { return false }
        if case .part = last { ahead.append(.end) }
        return true
    }
}

extension HTTPRequestHead {
    /// False if the client ends the connection after this request, or asks for another protocol, behind which HTTP cannot go on.
    fileprivate var keepsConnection: Bool { isKeepAlive && !headers.contains(name: "Upgrade") && method != .CONNECT }
}
