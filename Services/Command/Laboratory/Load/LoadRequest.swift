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
