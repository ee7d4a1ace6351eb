import Foundation
import Glibc
package import ServiceKit

/// Asks a service's admin endpoint: one blocking HTTP request on loopback, bounded in time and size.
package struct AdminProbe: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let body: String
    }

    let address: HostPort

    package init(address: HostPort) {
        self.address = address
    }

    /// The answer to `GET path`, nil if nobody answers within two seconds.
    package func get(_ path: String) -> Answer? {
        guard let socket = connected() else { return nil }
        defer { close(socket) }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        return Self.answer(in: String(decoding: Self.everything(from: socket), as: UTF8.self))
    }

    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, "\(address.port)", &hints, &found) == 0, let first = found else { return nil }
        defer { freeaddrinfo(found) }
        let socket = socket(first.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard connect(socket, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    private static func everything(from socket: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 4_000_000 {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private static func answer(in text: String) -> Answer? {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        return Answer(status: status, body: String(text[end.upperBound...]))
    }
}
