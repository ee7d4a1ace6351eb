internal import NIOCore

/// What a call of the device API answers.
struct Answer: Sendable {
    let status: Int
    let type: StaticString
    let body: [UInt8]
    /// Fields beside type and length, ready to be written: `Retry-After: 5\r\n`.
    var fields = ""

    init(_ status: Int, json body: [UInt8]) {
        self.status = status
        type = "application/json"
        self.body = body
    }

    init(_ problem: Problem) {
        status = problem.status
        type = "application/problem+json"
        body = problem.body
        if let seconds = problem.retryAfter { fields += "retry-after: \(seconds)\r\n" }
        if let allow = problem.allow { fields += "allow: \(allow)\r\n" }
        if problem.status == 401 { fields += "www-authenticate: Bearer\r\n" }
    }

    /// The whole answer as it goes over the wire (RFC 9112), in one piece.
    func write(to buffer: inout ByteBuffer, closes: Bool) {
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status))
        buffer.writeStaticString(Self.reason(status))
        buffer.writeStaticString("\r\nserver: nkul\r\ncontent-type: ")
        buffer.writeStaticString(type)
        buffer.writeStaticString("\r\ncontent-length: ")
        buffer.writeString(String(body.count))
        buffer.writeStaticString("\r\n")
        if !fields.isEmpty { buffer.writeString(fields) }
        if closes { buffer.writeStaticString("connection: close\r\n") }
        buffer.writeStaticString("\r\n")
        buffer.writeBytes(body)
    }

    /// Bytes that `write` needs, at most.
    var byteCount: Int { 160 + fields.utf8.count + body.count }

    private static func reason(_ status: Int) -> StaticString {
        switch status {
        case 200: " OK"
        case 201: " Created"
        case 202: " Accepted"
        case 400: " Bad Request"
        case 401: " Unauthorized"
        case 403: " Forbidden"
        case 404: " Not Found"
        case 405: " Method Not Allowed"
        case 408: " Request Timeout"
        case 410: " Gone"
        case 413: " Content Too Large"
        case 415: " Unsupported Media Type"
        case 422: " Unprocessable Content"
        case 429: " Too Many Requests"
        case 431: " Request Header Fields Too Large"
        case 501: " Not Implemented"
        case 503: " Service Unavailable"
        default: " "
        }
    }
}
