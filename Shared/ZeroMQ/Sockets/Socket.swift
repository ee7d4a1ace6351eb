internal import CZeroMQ
internal import Glibc

/// One libzmq socket.
///
/// libzmq: "ØMQ sockets are not thread safe. Applications MUST NOT use a socket from multiple threads". Confined to the
/// thread that made it; a service reaches its sockets through its `SocketThread` only.
package final class Socket {
    /// A message of more frames than this is dropped whole.
    static let mostFrames = 256

    let pointer: UnsafeMutableRawPointer
    package let kind: SocketKind
    /// The address as bound, with the port the system chose for `tcp://…:*`.
    package private(set) var endpoint = ""
    // The context must outlive its sockets.
    private let context: Context
    private var isClosed = false

    package init(_ kind: SocketKind, options: SocketOptions, context: Context) throws(ZeroMQError) {
        guard let pointer = zmq_socket(context.pointer, kind.code) else { throw .last(.open) }
        self.pointer = pointer
        self.kind = kind
        self.context = context
        self.security = options.security
        try apply(options)
    }

    private let security: SocketSecurity

    /// Listens at the endpoint; the error for a taken port names it.
    package func bind(_ endpoint: String) throws(ZeroMQError) {
        try prepare(Endpoint(endpoint, for: .bind), for: .bind)
        guard zmq_bind(pointer, endpoint) == 0 else { throw .last(.bind, endpoint: endpoint) }
        self.endpoint = lastEndpoint() ?? endpoint
    }

    /// Begins to connect, and goes on until closed, whether or not the peer is there.
    package func connect(_ endpoint: String) throws(ZeroMQError) {
        try prepare(Endpoint(endpoint, for: .connect), for: .connect)
        guard zmq_connect(pointer, endpoint) == 0 else { throw .last(.connect, endpoint: endpoint) }
        self.endpoint = endpoint
    }

    /// Sends one message without waiting.
    ///
    /// - Returns: false if it would have had to wait (high-water mark, or no completed connection); nothing was sent then.
    /// - Throws: `isUnreachable` when a mandatory ROUTER does not know the peer.
    package func send(_ frames: [Frame]) throws(ZeroMQError) -> Bool {
        for (index, frame) in frames.enumerated() {
            var outgoing = try OutgoingFrame(frame)
            let code = outgoing.send(to: pointer, more: index < frames.count - 1)
            if code == EAGAIN && index == 0 { return false }
            guard code == 0 else { throw ZeroMQError(.send, endpoint: endpoint, code: code) }
        }
        return true
    }

    /// Takes one whole message without waiting; nil if none is there, empty if it had too many frames and was dropped.
    package func receive() throws(ZeroMQError) -> [Frame]? {
        var frames: [Frame] = []
        var tooMany = false
        while true {
            var message = zmq_msg_t()
            _ = zmq_msg_init(&message)
            defer { _ = zmq_msg_close(&message) }
            while zmq_msg_recv(&message, pointer, ZMQ_DONTWAIT) < 0 {
                let code = zmq_errno()
                if code == EAGAIN { return nil }
                guard code == EINTR else { throw ZeroMQError(.receive, endpoint: endpoint, code: code) }
            }
            if frames.count == Socket.mostFrames { tooMany = true }
            if !tooMany { frames.append(Socket.copy(&message)) }
            guard zmq_msg_more(&message) != 0 else { break }
        }
        return tooMany ? [] : frames
    }

    /// Takes one whole message, for which it sleeps in `zmq_poll` at most so long; nil if none came by then.
    ///
    /// For programs with one socket and nothing else to do; a service waits in its ``SocketThread``.
    package func receive(within limit: Duration) throws(ZeroMQError) -> [Frame]? {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while true {
            if let frames = try receive() { return frames }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var item = zmq_pollitem_t(socket: pointer, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
            let milliseconds = Int((min(left, .seconds(3_600)) / .milliseconds(1)).rounded(.up))
            guard zmq_poll(&item, 1, milliseconds) >= 0 || zmq_errno() == EINTR else {
                throw .last(.poll, endpoint: endpoint)
            }
        }
    }

    /// SUB: adds a topic prefix.
    package func subscribe(_ prefix: Frame) throws(ZeroMQError) { try set(ZMQ_SUBSCRIBE, prefix, .subscribe) }

    /// SUB: takes a topic prefix away.
    package func unsubscribe(_ prefix: Frame) throws(ZeroMQError) { try set(ZMQ_UNSUBSCRIBE, prefix, .subscribe) }

    /// Begins to report events of the connections at an `inproc://` endpoint of their own.
    func monitor(at endpoint: String) throws(ZeroMQError) {
        guard zmq_socket_monitor(pointer, endpoint, ConnectionEvent.codes) == 0 else {
            throw .last(.open, endpoint: endpoint)
        }
    }

    /// Closes the socket; what waits is sent for the linger time.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = zmq_close(pointer)
    }

    deinit { close() }

    private func prepare(_ endpoint: Endpoint, for operation: ZeroMQError.Operation) throws(ZeroMQError) {
        try security.check(endpoint, for: operation)
        if endpoint.isIPv6 { try set(ZMQ_IPV6, 1) }
    }

    private static func copy(_ message: inout zmq_msg_t) -> Frame {
        let size = zmq_msg_size(&message)
        guard size > 0, let data = zmq_msg_data(&message) else { return [] }
        return Frame(unsafeUninitializedCapacity: size) { buffer, count in
            UnsafeMutableRawPointer(buffer.baseAddress!).copyMemory(from: data, byteCount: size)
            count = size
        }
    }

    private func lastEndpoint() -> String? {
        var size = 512
        var text = [UInt8](repeating: 0, count: size)
        guard zmq_getsockopt(pointer, ZMQ_LAST_ENDPOINT, &text, &size) == 0, size > 1 else { return nil }
        return String(decoding: text.prefix(size - 1), as: UTF8.self)
    }
}

/// One frame of a multi-part message.
public typealias Frame = [UInt8]
