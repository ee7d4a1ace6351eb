import Foundation

/// One HTTP/1.1 request on a connection of its own, and its whole answer.
public struct HTTPExchange: Sendable {
    /// The status code of the answer.
    public let status: Int
    /// The header fields of the answer, names in lower case.
    public let headers: [String: String]
    /// The body of the answer, chunks put together, not decompressed.
    public let body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Sends a request to a local port and waits for the whole answer, on the caller's thread.
    ///
    /// - Parameter timeout: seconds without a byte after which the exchange is given up.
    /// - Throws: `ExchangeError`; after `.replyLost` the server may or may not have acted.
    public static func send(
        _ method: String, _ path: String, port: Int, headers: [String: String] = [:], body: [UInt8] = [],
        timeout: Int = 30
    ) throws -> HTTPExchange {
        let socket = try LoopbackSocket.connected(port: port, timeout: timeout)
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        try socket.send(Array(head.utf8) + body)
        var answer: [UInt8] = []
        while let more = socket.receive() { answer += more }
        return try HTTPExchange(parsing: answer)
    }

    private init(parsing answer: [UInt8]) throws {
        guard let end = Data(answer).range(of: Data("\r\n\r\n".utf8)) else { throw ExchangeError.replyLost }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let code = head[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw ExchangeError.malformed(head[0])
        }
        var fields: [String: String] = [:]
        for line in head.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        status = code
        headers = fields
        body = try Self.body(Array(answer[end.upperBound...]), fields)
    }

    private static func body(_ bytes: [UInt8], _ fields: [String: String]) throws -> [UInt8] {
        if fields["transfer-encoding"]?.lowercased() == "chunked" { return try joiningChunks(bytes) }
        guard let length = fields["content-length"].flatMap({ Int($0) }) else { return bytes }
        guard bytes.count >= length else { throw ExchangeError.replyLost }
        return Array(bytes[..<length])
    }

    private static func joiningChunks(_ bytes: [UInt8]) throws -> [UInt8] {
        var body: [UInt8] = []
        var at = 0
        while true {
            guard let lineEnd = bytes[at...].firstIndex(of: 13) else { throw ExchangeError.replyLost }
            let text = String(decoding: bytes[at..<lineEnd], as: UTF8.self)
            guard let size = Int(text, radix: 16) else { throw ExchangeError.malformed(text) }
            if size == 0 { return body }
            let start = lineEnd + 2
            guard start + size + 2 <= bytes.count else { throw ExchangeError.replyLost }
            body += bytes[start..<start + size]
            at = start + size + 2
        }
    }
}
