package import IngestUploads
package import NIOCore

/// What a call of the device API answers.
package struct Answer: Sendable {
    let status: Int
    /// Media type of the body; nil if there is none.
    let type: StaticString?
    package private(set) var body: [UInt8]
    /// The body if it is made while it is sent; `body` is empty then.
    package var stream: (any AnswerStream)?
    /// Whether the client understands a body whose length is not told (HTTP/1.1).
    package var isChunked = true
    /// Fields beside type and length, ready to be written: `retry-after: 5\r\n`.
    var fields: String
    /// Seconds until the device should upload again (`X-Nkul-Next-Upload`); 0: nothing is said.
    package var nextUpload = 0
    /// True if the connection ends with it.
    package var closes = false
    /// False for an answer to HEAD, which says how long the body would be and leaves it out.
    package var hasBody = true

    /// An answer that nobody may keep, as it is about one device.
    package init(_ status: Int, json body: [UInt8]) {
        self.init(status, json: body, fields: "cache-control: no-store\r\n")
    }

    /// - Parameter fields: what is said of caching, among others.
    package init(_ status: Int, json body: [UInt8], fields: String) {
        self.status = status
        type = "application/json"
        self.body = body
        self.fields = fields
    }

    /// A long answer.
    package init(_ status: Int, type: StaticString, stream: any AnswerStream, fields: String) {
        self.status = status
        self.type = type
        body = []
        self.stream = stream
        self.fields = fields
    }

    /// The receipt of an upload. It answers a POST, which nobody keeps.
    package init(receipt body: [UInt8]) { self.init(200, json: body, fields: "") }

    /// The same answer with another body.
    package func with(body: [UInt8]) -> Answer {
        var answer = self
        answer.body = body
        return answer
    }

    /// An answer without a body: 204.
    ///
    /// - Parameter fields: lines of the header.
    package init(emptyWith fields: String) {
        status = 204
        type = nil
        body = []
        self.fields = fields
    }

    /// Adds lines to the header.
    package mutating func add(fields: String) { self.fields += fields }

    /// "What you have is what there is" (RFC 9110, 15.4.5).
    ///
    /// - Parameter fields: those of the answer that is left out: entity tag and caching.
    init(notModified fields: String) {
        status = 304
        type = nil
        body = []
        self.fields = fields
    }

    /// A document that a client may keep and ask for again by its entity tag.
    ///
    /// - Parameters: the tag with its quotes; the value of `Cache-Control`.
    package init(
        _ document: [UInt8], type: StaticString = "application/json", tag: String, caching: String,
        for head: RequestHead
    ) {
        let fields = "etag: \(tag)\r\ncache-control: \(caching)\r\n"
        if head.has(tag) {
            self.init(notModified: fields)
        } else {
            self.init(200, type: type, document, fields: fields)
        }
    }

    private init(_ status: Int, type: StaticString, _ body: [UInt8], fields: String) {
        self.status = status
        self.type = type
        self.body = body
        self.fields = fields
    }

    package init(_ problem: DeviceAPIError) {
        status = problem.status
        type = "application/problem+json"
        body = problem.body
        fields = "cache-control: no-store\r\n"
        if let seconds = problem.retryAfter { fields += "retry-after: \(seconds)\r\n" }
        if let allow = problem.allow { fields += "allow: \(allow)\r\n" }
        if let accept = problem.accept {
            fields += problem.field == "Content-Encoding" ? "accept-encoding" : "accept"
            fields += ": \(accept)\r\n"
        }
        if problem.status == 426 {
            fields += "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
        }
        if problem.status == 401 { fields += "www-authenticate: Bearer\r\n" }
    }

    /// The whole answer as it goes over the wire (RFC 9112), in one piece.
    ///
    /// - Parameter date: the field `Date` as a line.
    package func write(to buffer: inout ByteBuffer, closes: Bool, date: [UInt8]) {
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status))
        buffer.writeStaticString(Self.reason(status))
        buffer.writeStaticString("\r\nserver: nkul\r\n")
        buffer.writeBytes(date)
        if let type {
            buffer.writeStaticString("content-type: ")
            buffer.writeStaticString(type)
            if stream == nil {
                buffer.writeStaticString("\r\ncontent-length: ")
                buffer.writeString(String(body.count))
            } else if isChunked {
                buffer.writeStaticString("\r\ntransfer-encoding: chunked")
            }
            buffer.writeStaticString("\r\n")
        }
        if !fields.isEmpty { buffer.writeString(fields) }
        if nextUpload > 0 {
            buffer.writeStaticString("x-nkul-next-upload: ")
            buffer.writeString(String(nextUpload))
            buffer.writeStaticString("\r\n")
        }
        if closes { buffer.writeStaticString("connection: close\r\n") }
        buffer.writeStaticString("\r\n")
        if hasBody { buffer.writeBytes(body) }
    }

    /// Bytes that `write` needs, at most.
    package var byteCount: Int { 240 + fields.utf8.count + body.count }

    private static func reason(_ status: Int) -> StaticString {
        switch status {
        case 200: " OK"
        case 201: " Created"
        case 202: " Accepted"
        case 204: " No Content"
        case 304: " Not Modified"
        case 400: " Bad Request"
        case 401: " Unauthorized"
        case 403: " Forbidden"
        case 404: " Not Found"
        case 405: " Method Not Allowed"
        case 408: " Request Timeout"
        case 409: " Conflict"
        case 410: " Gone"
        case 413: " Content Too Large"
        case 414: " URI Too Long"
        case 415: " Unsupported Media Type"
        case 422: " Unprocessable Content"
        case 426: " Upgrade Required"
        case 428: " Precondition Required"
        case 429: " Too Many Requests"
        case 431: " Request Header Fields Too Large"
        case 501: " Not Implemented"
        case 503: " Service Unavailable"
        default: " "
        }
    }
}

/// The body of a long answer, made while it is sent.
package protocol AnswerStream: Sendable {
    /// The next piece, nil after the last. Called again only when the piece before has left.
    ///
    /// - Throws: what ends the connection, so that nobody takes the answer for whole.
    func next() async throws -> [UInt8]?
}
