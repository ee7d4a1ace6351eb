internal import HTTPTypes
internal import Models

/// What an upload's head says, checked.
struct RequestHead {
    private let head: HTTPRequest
    /// The query, without `?`.
    private let query: Substring
    let route: DeviceRoute

    init(_ head: HTTPRequest) {
        self.head = head
        let path = head.path ?? ""
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
        guard let value = head.headerFields[.authorization] else {
            throw Self.unauthorized("a bearer token is required")
        }
        guard value.utf8.count > 7, value.utf8.count < 256, value.prefix(7).lowercased() == "bearer " else {
            throw Self.unauthorized("expected Authorization: Bearer <token>")
        }
        return value.dropFirst(7)
    }

    static func unauthorized(_ detail: String) -> Problem {
        Problem(401, "unauthorized", "The request is not authenticated", detail: detail, field: "Authorization")
    }

    var contentLength: Int? { head.headerFields[.contentLength].flatMap(Int.init) }

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

    private func format() throws(Problem) -> UploadRequest.Format {
        guard let type = head.headerFields[.contentType] else { return .json }
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
        guard let encoding = head.headerFields[.contentEncoding] else { return false }
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
        guard let key = head.headerFields[Self.idempotencyKeyName], !key.isEmpty else { return nil }
        guard key.utf8.count <= 255 else {
            throw Problem(
                400, "bad_idempotency_key", "An idempotency key has at most 255 bytes", field: "Idempotency-Key")
        }
        return key
    }

    private func sentAt() throws(Problem) -> UnixMilliseconds? {
        let header = head.headerFields[Self.sentAtName]
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

    private static let sentAtName = HTTPField.Name("X-Nkul-Sent-At")!
    private static let idempotencyKeyName = HTTPField.Name("Idempotency-Key")!
}
