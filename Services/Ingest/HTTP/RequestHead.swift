internal import Models
internal import NIOHTTP1

/// What an upload's head says, checked.
struct RequestHead: Sendable {
    private let head: HTTPRequestHead
    /// The query, without `?`.
    private let query: Substring
    let route: DeviceRoute

    init(_ head: HTTPRequestHead) {
        self.head = head
        let path = head.uri
        if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
            route = DeviceRoute(path[..<mark])
            query = path[path.utf8.index(after: mark)...]
        } else {
            route = DeviceRoute(path[...])
            query = ""
        }
    }

    /// The token of `Authorization: Bearer`.
    func token() throws(Problem) -> Substring {
        guard let value = field("Authorization") else {
            throw .unauthorized("a bearer token is required")
        }
        guard value.utf8.count > 7, value.utf8.count < 256, value.prefix(7).lowercased() == "bearer " else {
            throw .unauthorized("expected Authorization: Bearer <token>")
        }
        return value.dropFirst(7)
    }

    /// Bytes of the body, if it was said before it comes.
    var contentLength: Int? { field("Content-Length").flatMap(Int.init) }
    var keepsAlive: Bool { head.isKeepAlive }
    var expectsContinue: Bool { field("Expect")?.lowercased() == "100-continue" }
    var isPut: Bool { head.method == .PUT }

    /// True if no more than so many bytes of body are to come.
    func hasShortBody(_ bytes: Int) -> Bool {
        contentLength.map { $0 <= bytes } ?? (field("Transfer-Encoding") == nil)
    }

    /// Refuses a method that the path has not, and a flood of header fields.
    func check(_ limits: EdgeLimits) throws(Problem) {
        let bytes = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard head.headers.count <= limits.headerFields, bytes <= limits.headerBytes else {
            throw Problem(
                431, "header_too_large",
                "A request has at most \(limits.headerFields) header fields of \(limits.headerBytes) bytes together")
        }
        guard let methods = route.methods, !methods.contains(head.method.rawValue) else { return }
        let allow = methods.joined(separator: ", ")
        throw Problem(405, "method_not_allowed", "This path has only \(allow)", allow: allow)
    }

    private func field(_ name: String) -> String? { head.headers.first(name: name) }

    /// Reads what the head says of an upload.
    func upload(_ kind: RecordKind, arrivedAt: UnixMilliseconds) throws(Problem) -> UploadRequest {
        var request = UploadRequest(kind: kind, arrivedAt: arrivedAt)
        request.format = try format()
        request.isCompressed = try isCompressed()
        request.idempotencyKey = try idempotencyKey()
        request.sentAt = try sentAt()
        request.listsAll = parameter("receipts") == "all"
        return request
    }

    /// Refuses a body of another type than JSON.
    func requireJSON() throws(Problem) {
        guard try format() == .json, try !isCompressed() else {
            throw Problem(415, "unsupported_type", "This call takes application/json as it is", field: "Content-Type")
        }
    }

    private func format() throws(Problem) -> UploadRequest.Format {
        guard let type = field("Content-Type") else { return .json }
        if type == "application/json" { return .json }
        let bare = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        switch bare {
        case "application/json", "application/x-ndjson", "application/ndjson", "application/jsonl": return .json
        case "text/csv", "application/csv": return .csv
        default:
            throw Problem(
                415, "unsupported_type", "Records come as application/json, application/x-ndjson or text/csv",
                detail: "got \(bare.prefix(100))", field: "Content-Type")
        }
    }

    private func isCompressed() throws(Problem) -> Bool {
        guard let encoding = field("Content-Encoding") else { return false }
        switch encoding.lowercased() {
        case "gzip", "x-gzip", "deflate": return true
        case "", "identity": return false
        default:
            throw Problem(
                415, "unsupported_encoding", "A body is encoded as gzip, deflate or not at all",
                detail: "got \(encoding.prefix(100))", field: "Content-Encoding")
        }
    }

    private func idempotencyKey() throws(Problem) -> String? {
        guard let key = field("Idempotency-Key"), !key.isEmpty else { return nil }
        guard key.utf8.count <= 255 else {
            throw Problem(
                400, "bad_idempotency_key", "An idempotency key has at most 255 bytes", field: "Idempotency-Key")
        }
        return key
    }

    private func sentAt() throws(Problem) -> UnixMilliseconds? {
        let header = field("X-Nkul-Sent-At")
        guard let text = header ?? parameter("sent_at_ms").map(String.init) else { return nil }
        guard let time = Int64(text), time > 0, time < 1 << 53 else {
            throw Problem(
                400, "bad_sent_at", "The time of sending is given in Unix milliseconds",
                field: header == nil ? "sent_at_ms" : "X-Nkul-Sent-At")
        }
        return time
    }

    /// A parameter of the query, as it stands there.
    func parameter(_ name: String) -> Substring? {
        guard !query.isEmpty else { return nil }
        for part in query.split(separator: "&") where part.hasPrefix(name) && part.dropFirst(name.count).first == "=" {
            return part.dropFirst(name.count + 1)
        }
        return nil
    }
}
