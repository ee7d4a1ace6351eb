import Glibc

/// A panel that speaks UDP, from a port of its own.
final class DatagramPanel {
    private let descriptor: Int32
    private var address = sockaddr_in()

    struct Failed: Error { let code: Int32 }

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failed(code: errno) }
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }

    deinit { close(descriptor) }

    /// Sends a datagram; the next one that comes, or nil if none does in time.
    func exchange(_ bytes: [UInt8], milliseconds: Int = 5_000) throws -> [UInt8]? {
        var limit = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, length)
            }
        }
        guard sent == bytes.count else { throw Failed(code: errno) }
        var answer = [UInt8](repeating: 0, count: 8_192)
        let count = recv(descriptor, &answer, answer.count, 0)
        return count < 0 ? nil : Array(answer.prefix(count))
    }
}
