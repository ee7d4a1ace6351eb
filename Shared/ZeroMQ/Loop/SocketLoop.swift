internal import CZeroMQ
internal import Glibc

/// The sockets and timers of a socket thread, for code that runs on it.
///
/// Not `Sendable`: it is handed to bodies on the socket thread only, and nothing else can reach a socket.
public final class SocketLoop {
    /// Messages taken from one socket before the others have their turn.
    static let turn = 64

    private struct Member {
        let socket: Socket
        var receive: (([Frame]) -> Void)?
        var monitor: SocketHandle?
    }

    private let context: Context
    private var members: [Int: Member] = [:]
    private var order: [Int] = []
    private var lastNumber = 0
    private var timers = LoopTimers()
    /// The handler of handshakes that was opened last; it lives as long as its socket.
    weak var handshakes: ZAPHandler?

    init(context: Context) {
        self.context = context
    }

    /// Opens a socket that listens.
    package func open(
        _ kind: SocketKind, options: SocketOptions = SocketOptions(), bind endpoint: String
    ) throws(ZeroMQError) -> SocketHandle {
        let socket = try Socket(kind, options: options, context: context)
        try socket.bind(endpoint)
        return add(socket)
    }

    /// Opens a socket that connects, and connects again whenever it is cut off.
    package func open(
        _ kind: SocketKind, options: SocketOptions = SocketOptions(), connect endpoint: String
    ) throws(ZeroMQError) -> SocketHandle {
        let socket = try Socket(kind, options: options, context: context)
        try socket.connect(endpoint)
        return add(socket)
    }

    /// Sets what is done with each message of a socket; the body runs on the socket thread and must not block.
    public func onReceive(_ handle: SocketHandle, _ body: @escaping ([Frame]) -> Void) {
        members[handle.number]?.receive = body
    }

    /// Sets what is done when connections of a socket come, go or are refused; once for a socket.
    ///
    /// Connections made before are not reported, so a socket is best opened and watched in the same turn.
    public func onConnection(
        _ handle: SocketHandle, _ body: @escaping (ConnectionEvent) -> Void
    ) throws(ZeroMQError) {
        let watched = try socket(handle, .open)
        let endpoint = "inproc://monitor.\(UInt(bitPattern: watched.pointer))"
        try watched.monitor(at: endpoint)
        let monitor = try open(.pair, connect: endpoint)
        members[handle.number]?.monitor = monitor
        onReceive(monitor) { frames in
            if let event = ConnectionEvent(frames[0]) { body(event) }
        }
    }

    /// Sends one message without waiting.
    ///
    /// - Returns: false if the peer's queue is full or nobody is connected; nothing was sent then.
    /// - Throws: `isUnreachable` when a mandatory ROUTER does not know the peer; `ENOTSOCK` when the socket was closed.
    @discardableResult
    public func send(_ frames: [Frame], on handle: SocketHandle) throws(ZeroMQError) -> Bool {
        try socket(handle, .send).send(frames)
    }

    /// SUB: adds a topic prefix.
    package func subscribe(_ prefix: Frame, on handle: SocketHandle) throws(ZeroMQError) {
        try socket(handle, .subscribe).subscribe(prefix)
    }

    /// SUB: takes a topic prefix away.
    package func unsubscribe(_ prefix: Frame, on handle: SocketHandle) throws(ZeroMQError) {
        try socket(handle, .subscribe).unsubscribe(prefix)
    }

    /// Closes a socket; closing it again does nothing.
    public func close(_ handle: SocketHandle) {
        guard let member = members.removeValue(forKey: handle.number) else { return }
        order.removeAll { $0 == handle.number }
        member.socket.close()
        if let monitor = member.monitor { close(monitor) }
    }

    /// Runs a body again and again, first after one interval; beats missed while the thread was busy are skipped.
    @discardableResult
    public func every(_ interval: Duration, _ body: @escaping () -> Void) -> TimerHandle {
        timers.add(due: now + interval.wholeNanoseconds, interval: max(1, interval.wholeNanoseconds), body)
    }

    /// Runs a body once, at the earliest after the delay.
    @discardableResult
    public func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerHandle {
        timers.add(due: now + delay.wholeNanoseconds, interval: nil, body)
    }

    /// Stops a timer; a timer that has ended is left alone.
    public func cancel(_ timer: TimerHandle) {
        timers.cancel(timer)
    }

    // MARK: - Turns of the loop

    /// Waits for the wake-up descriptor, a message or a timer; then delivers what came.
    func runOnce(wakeUp: Int32) throws(ZeroMQError) {
        var items = [zmq_pollitem_t(socket: nil, fd: wakeUp, events: Int16(ZMQ_POLLIN), revents: 0)]
        let polled = order.filter { members[$0]!.receive != nil && members[$0]!.socket.kind.receives }
        for number in polled {
            items.append(
                zmq_pollitem_t(
                    socket: members[number]!.socket.pointer, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
        }
        guard zmq_poll(&items, Int32(items.count), millisecondsToNextTimer) >= 0 else {
            if zmq_errno() == EINTR { return }
            throw .last(.poll)
        }
        if items[0].revents != 0 { _ = nkul_eventfd_drain(wakeUp) }
        for (index, number) in polled.enumerated() where items[index + 1].revents != 0 {
            try deliver(number)
        }
    }

    func runDueTimers() {
        let now = now
        while let body = timers.takeDue(at: now) { body() }
    }

    func closeAll() {
        for number in order { members[number]!.socket.close() }
        members = [:]
        order = []
        timers = LoopTimers()
    }

    /// A body may close its own or any other socket, so each message looks its member up.
    private func deliver(_ number: Int) throws(ZeroMQError) {
        for _ in 0..<SocketLoop.turn {
            guard let member = members[number], let receive = member.receive else { return }
            guard let frames = try member.socket.receive() else { return }
            if !frames.isEmpty { receive(frames) }
        }
    }

    private func add(_ socket: Socket) -> SocketHandle {
        lastNumber += 1
        members[lastNumber] = Member(socket: socket)
        order.append(lastNumber)
        return SocketHandle(number: lastNumber, endpoint: socket.endpoint)
    }

    private func socket(_ handle: SocketHandle, _ operation: ZeroMQError.Operation) throws(ZeroMQError) -> Socket {
        guard let member = members[handle.number] else {
            throw ZeroMQError(operation, endpoint: handle.endpoint, code: ENOTSOCK, detail: "the socket is closed")
        }
        return member.socket
    }

    private var millisecondsToNextTimer: Int {
        guard let next = timers.next else { return -1 }
        let now = now
        return next <= now ? 0 : Int((next - now + 999_999) / 1_000_000)
    }

    private var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension Duration {
    /// Never negative; rounded down.
    fileprivate var wholeNanoseconds: UInt64 {
        UInt64(max(0, self / .nanoseconds(1)))
    }
}

/// Names a socket of one `SocketLoop`; may be kept anywhere, is of use on the socket thread only.
public struct SocketHandle: Sendable, Hashable {
    let number: Int
    /// The address as bound, with the port the system chose for `tcp://…:*`, or as connected to.
    public let endpoint: String
}
