public import NIOCore

/// A request as its bytes: head and body are laid out once and can be sent any number of times.
public struct LoadRequest: Sendable {
    /// All that goes over the wire.
    public let bytes: ByteBuffer

    /// - Parameters:
    ///   - path: with its query.
    ///   - headers: names and values as they are sent; `Host` and `Content-Length` are added.
    public init(method: String, host: String, path: String, headers: [(String, String)] = [], body: [UInt8] = []) {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if method != "GET" || !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        head += "\r\n"
        var buffer = ByteBufferAllocator().buffer(capacity: head.utf8.count + body.count)
        buffer.writeString(head)
        buffer.writeBytes(body)
        bytes = buffer
    }
}

/// An answer of the service.
public struct LoadResponse: Sendable {
    /// HTTP status.
    public let status: Int
    /// `Retry-After` in seconds, if the service gave one.
    public let retryAfter: Int?
    public let body: ByteBuffer
    /// `X-Nkul-Next-Upload` in seconds, and `ETag`, if the service gave them.
    public internal(set) var nextUpload: Int?
    public internal(set) var etag: String?

    init(status: Int, retryAfter: Int?, body: ByteBuffer) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }

    /// The body as text.
    public var text: String { String(buffer: body) }
}

/// Why a request has no answer. Whether the service did what was asked is then unknown.
public enum LoadFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// No connection could be made.
    case unreachable(String)
    /// The connection ended before the answer was complete.
    case connectionLost(String)
    /// No answer within the time limit; the connection was closed.
    case timedOut
    /// What came was not an answer of HTTP/1.1 that says where it ends, or a very long one.
    case unreadable(String)
    /// It is not safe to speak to the service, and will not be: why, and what to do about it.
    case insecure(String)
    /// The pool was shut down.
    case closed

    /// What an error of a connection means.
    static func lost(_ error: any Error) -> LoadFailure {
        error as? LoadFailure ?? .connectionLost("\(error)")
    }

    public var description: String {
        switch self {
        case .unreachable(let cause): "no connection: \(cause)"
        case .connectionLost(let cause): "connection lost: \(cause)"
        case .timedOut: "no answer in time"
        case .unreadable(let cause): "unreadable answer: \(cause)"
        case .insecure(let cause): cause
        case .closed: "closed"
        }
    }
}
