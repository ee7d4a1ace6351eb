import Glibc

/// A blocking TCP socket on 127.0.0.1, for tests only: small, and without the product's network code.
///
/// Used by one thread at a time, except `shutdown()`, which any thread may call to wake it.
final class LoopbackSocket: Sendable {
    /// Closed in programs that a test starts meanwhile: they would hold ports that were only tried.
    private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// A socket that listens on a port, or on one the system chose.
    static func listening(port: Int = 0) throws -> (socket: LoopbackSocket, port: Int) {
        let socket = LoopbackSocket(descriptor: Glibc.socket(AF_INET, kind, 0))
        var address = loopback(port: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withGenericAddress(&address) { Glibc.bind(socket.descriptor, $0, length) }
        guard bound == 0, Glibc.listen(socket.descriptor, 128) == 0 else { throw ExchangeError.system(errno) }
        _ = withGenericAddress(&address) { Glibc.getsockname(socket.descriptor, $0, &length) }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Connects to a local port; reads and writes give up after `timeout` seconds.
    static func connected(port: Int, timeout: Int) throws -> LoopbackSocket {
        let socket = LoopbackSocket(descriptor: Glibc.socket(AF_INET, kind, 0))
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var address = loopback(port: port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withGenericAddress(&address) { Glibc.connect(socket.descriptor, $0, length) }
        guard connected == 0 else { throw ExchangeError.system(errno) }
        return socket
    }

    /// Waits for a client; nil once the socket was shut down.
    func accept() -> LoopbackSocket? {
        let client = Glibc.accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return LoopbackSocket(descriptor: client)
    }

    /// Sends all of `bytes`.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw ExchangeError.system(errno) }
            sent += count
        }
    }

    /// The next bytes, at most 64 KiB; nil at the end of the stream or after a failure.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = buffer.withUnsafeMutableBytes { Glibc.recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        buffer.removeSubrange(count...)
        return buffer
    }

    /// Ends both directions; a thread that waits in `accept()` or `receive()` returns nil.
    func shutdown() {
        _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withGenericAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
