import Foundation

/// A WebSocket client that sends what it is told, right or wrong. By one task at a time.
final class RawWebSocket {
    struct Frame: Equatable {
        let opcode: UInt8
        let payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any] ?? [:] }
        /// The status code of a close frame.
        var code: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
    }

    let client: RawClient
    private var bytes: [UInt8]

    private init(_ client: RawClient, _ bytes: [UInt8]) {
        self.client = client
        self.bytes = bytes
    }

    /// The opening of a connection.
    static func opening(_ token: String, path: String = "/v1/realtime", fields: String = "") -> String {
        """
        GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nConnection: keep-alive, Upgrade\r\n\
        Upgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n
        """
    }

    /// Opens a connection, sends `first` behind the opening in the same bytes, and lends it to `body`.
    static func with<Result: Sendable>(
        _ bench: APIBench, _ token: String, path: String = "/v1/realtime", fields: String = "",
        first: [UInt8] = [], _ body: (RawWebSocket) async throws -> Result
    ) async throws -> Result {
        try await RawClient.with(port: bench.port) { client in
            try await client.send(Array(opening(token, path: path, fields: fields).utf8) + first)
            var bytes: [UInt8] = []
            while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil, let more = try await client.next() {
                bytes += more
            }
            let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.count
            let head = String(decoding: bytes[..<end], as: UTF8.self)
            // The example of RFC 6455, 1.3.
            guard head.hasPrefix("HTTP/1.1 101 "), head.contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            else { throw NotOpened(answer: head) }
            return try await body(RawWebSocket(client, Array(bytes[end...])))
        }
    }

    struct NotOpened: Error { let answer: String }

    /// A frame as it goes over the wire.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true, reserved: UInt8 = 0
    ) -> [UInt8] {
        var bytes = [(isLast ? 0x80 : 0) | reserved | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(mask | UInt8(payload.count))
        case ...65_535: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0xA1, 0x02, 0x00, 0xFF]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await client.send(bytes) }

    func send(_ text: String) async throws { try await send(Self.text(text)) }

    /// The next frame; nil once the server has closed.
    func next() async throws -> Frame? {
        while true {
            if let frame = take() { return frame }
            guard let more = try await client.next() else { return nil }
            bytes += more
        }
    }

    /// The next frame as JSON.
    func answer() async throws -> [String: Any] { try await next()?.json ?? [:] }

    private func take() -> Frame? {
        guard bytes.count >= 2 else { return nil }
        var length = Int(bytes[1] & 0x7F), begin = 2
        if length == 126 {
            guard bytes.count >= 4 else { return nil }
            (length, begin) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
        }
        guard bytes.count >= begin + length else { return nil }
        let frame = Frame(opcode: bytes[0] & 15, payload: Array(bytes[begin..<begin + length]))
        bytes.removeFirst(begin + length)
        return frame
    }
}
