package import IngestUploads
package import Models
package import NIOHTTP1

/// What a head says of the body that comes with it.
extension RequestHead {
    /// Media types of records, as the field `Accept` of a refusal names them.
    static let recordTypes = "application/json, application/x-ndjson, text/csv"

    /// Reads what the head says of an upload.
    package func upload(_ kind: RecordKind, arrivedAt: UnixMilliseconds) throws(DeviceAPIError) -> UploadRequest {
        let manner = try manner()
        return UploadRequest(
            kind: kind, format: manner.format, isCompressed: manner.isCompressed,
            idempotencyKey: manner.idempotencyKey, sentAt: manner.sentAt, arrivedAt: arrivedAt,
            listsAll: manner.listsAll)
    }

    /// How records are written and answered, whatever their kind.
    package typealias Manner = (
        format: UploadRequest.Format, isCompressed: Bool, idempotencyKey: String?, sentAt: UnixMilliseconds?,
        listsAll: Bool
    )

    package func manner() throws(DeviceAPIError) -> Manner {
        (try format(), try isCompressed(), try idempotencyKey(), try sentAt(), try listsAll())
    }

    /// Refuses a body of another type than JSON, or one that is compressed.
    package func requireJSON() throws(DeviceAPIError) {
        let type = field("Content-Type").map(Self.mediaType)
        guard type == nil || type == "application/json" else {
            throw .unsupportedType(type!, accept: "application/json")
        }
        try requireUncompressed()
    }

    /// Refuses a body that is compressed.
    package func requireUncompressed() throws(DeviceAPIError) {
        guard try !isCompressed() else { throw .unsupportedEncoding("compressed", accept: "identity") }
    }

    private func format() throws(DeviceAPIError) -> UploadRequest.Format {
        guard let value = field("Content-Type") else { return .json }
        if value == "application/json" { return .json }
        let type = Self.mediaType(value)
        switch type {
        // A charset does not belong to JSON, which is UTF-8, and changes nothing (RFC 8259, 11).
        case "application/json", "application/x-ndjson", "application/ndjson", "application/jsonl": return .json
        case "text/csv", "application/csv", "text/tab-separated-values":
            guard Self.isUnicode(value) else { throw .unsupportedType(value, accept: "text/csv;charset=utf-8") }
            return .csv
        default: throw .unsupportedType(type, accept: Self.recordTypes)
        }
    }

    /// The type without its parameters, in lower case.
    private static func mediaType(_ value: String) -> String {
        value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }

    /// False if a charset is named that is neither UTF-8, a part of it, nor UTF-16 (which shows in the bytes: ``UTF16Body``).
    private static func isUnicode(_ value: String) -> Bool {
        let names = ["utf-8", "utf8", "us-ascii", "utf-16", "utf-16le", "utf-16be"].map { "charset=" + $0 }
        return value.split(separator: ";").dropFirst().allSatisfy { part in
            let parameter = part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased()
            return !parameter.hasPrefix("charset=") || names.contains(parameter)
        }
    }

    /// Codings are a list in the order in which they were applied (RFC 9110, 8.4); one may compress.
    private func isCompressed() throws(DeviceAPIError) -> Bool {
        guard let value = field("Content-Encoding") else { return false }
        if value == "gzip" { return true }
        var isCompressed = false
        for part in value.split(separator: ",") {
            switch part.filter({ $0 != " " && $0 != "\t" }).lowercased() {
            case "", "identity": break
            case "gzip", "x-gzip", "deflate":
                guard !isCompressed else { throw .unsupportedEncoding(value, accept: "gzip, deflate") }
                isCompressed = true
            default: throw .unsupportedEncoding(value, accept: "gzip, deflate")
            }
        }
        return isCompressed
    }

    private func idempotencyKey() throws(DeviceAPIError) -> String? {
        guard let key = field("Idempotency-Key"), !key.isEmpty else { return nil }
        guard key.utf8.count <= 255 else { throw DeviceAPIError(.badIdempotencyKey, field: "Idempotency-Key") }
        return key
    }

    /// The phone's clock: the header stands above the query, but neither may be wrong.
    private func sentAt() throws(DeviceAPIError) -> UnixMilliseconds? {
        let query = try parameter("sent_at_ms").map { text throws(DeviceAPIError) in
            try UploadRequest.sentAt(text, "sent_at_ms")
        }
        guard let header = field("X-Nkul-Sent-At") else { return query }
        return try UploadRequest.sentAt(header[...], "X-Nkul-Sent-At")
    }

    /// Most bytes that a speed test is to move, if its client says so: `?bytes=…`.
    package func testBytes() throws(DeviceAPIError) -> Int? {
        guard let text = parameter("bytes") else { return nil }
        guard let bytes = Int(text), bytes > 0, bytes < 1 << 53 else {
            throw DeviceAPIError(.outOfRange, "a whole number above 0", field: "bytes")
        }
        return bytes
    }

    private func listsAll() throws(DeviceAPIError) -> Bool {
        guard let value = parameter("receipts") else { return false }
        guard value == "all" else { throw DeviceAPIError(.badReceipts, field: "receipts") }
        return true
    }
}

extension DeviceAPIError {
    fileprivate static func unsupportedType(_ type: String, accept: String) -> DeviceAPIError {
        DeviceAPIError(.unsupportedType, "got \(type.prefix(100))", field: "Content-Type", accept: accept)
    }

    fileprivate static func unsupportedEncoding(_ coding: String, accept: String) -> DeviceAPIError {
        DeviceAPIError(.unsupportedEncoding, "got \(coding.prefix(100))", field: "Content-Encoding", accept: accept)
    }
}

extension DeviceAPIError {
    /// What the parser of requests could not take.
    package init(_ error: HTTPParserError) {
        switch error {
        case .invalidMethod: self.init(.unknownMethod)
        case .headerOverflow: self.init(.headerTooLarge)
        default: self = .malformedRequest
        }
    }
}
