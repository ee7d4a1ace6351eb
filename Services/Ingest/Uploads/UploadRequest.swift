public import Models

/// What an upload's request says besides its body.
public struct UploadRequest: Sendable {
    /// How a body is written.
    public enum Format: Sendable { case json, csv }

    public var kind: RecordKind
    public var format: Format
    /// `gzip` or `deflate`.
    public var isCompressed: Bool
    /// `Idempotency-Key`.
    public var idempotencyKey: String?
    /// The phone's clock when it sent, Unix milliseconds.
    public var sentAt: UnixMilliseconds?
    /// Our clock when it arrived, Unix milliseconds.
    public var arrivedAt: UnixMilliseconds
    /// `?receipts=all`.
    public var listsAll: Bool

    public init(
        kind: RecordKind, format: Format = .json, isCompressed: Bool = false, idempotencyKey: String? = nil,
        sentAt: UnixMilliseconds? = nil, arrivedAt: UnixMilliseconds, listsAll: Bool = false
    ) {
        self.kind = kind
        self.format = format
        self.isCompressed = isCompressed
        self.idempotencyKey = idempotencyKey
        self.sentAt = sentAt
        self.arrivedAt = arrivedAt
        self.listsAll = listsAll
    }

    /// Reads a phone's clock, a whole number as fields of records have it: `123.0` and `1.23e2` are 123.
    ///
    /// - Throws: ``DeviceAPIError`` 400 naming where it was said.
    package static func sentAt(_ text: Substring, _ field: String) throws(DeviceAPIError) -> UnixMilliseconds {
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
        // Exact below 2^53; a whole number by itself needs no way through floating point.
        let number = Int64(text) ?? (isNumber ? Double(text).flatMap { Int64(exactly: $0) } : nil)
        guard let time = number, time > 0, time < 1 << 53 else { throw DeviceAPIError(.badSentAt, field: field) }
        return time
    }
}
