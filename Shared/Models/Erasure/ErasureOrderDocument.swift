/// The document of a record of kind `erasure_order`: how an erasure stands. Names no ordinal, and stays.
public struct ErasureOrderDocument: Codable, Sendable, Equatable {
    /// OpenDSR's states that an erasure can be in here.
    public enum State: String, Codable, Sendable {
        case pending, inProgress = "in_progress", completed
    }

    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits.
    public var subject: String
    public var scope: ErasureScope
    public var source: ErasureRequestDocument.Source
    public var state: State
    /// Unix milliseconds.
    public var requestedAt: UnixMilliseconds
    /// When it must be completed, Unix milliseconds.
    public var dueAt: UnixMilliseconds
    /// Unix milliseconds; nil until then.
    public var completedAt: UnixMilliseconds?
    /// Those that came, in the order they came.
    public var receipts: [ErasureReceiptDocument]

    public init(
        _ request: ErasureRequestDocument, state: State = .pending,
        completedAt: UnixMilliseconds? = nil, receipts: [ErasureReceiptDocument] = []
    ) {
        self.request = request.subject.request
        subject = request.subject.subject
        scope = request.subject.scope
        source = request.source
        requestedAt = request.requestedAt
        self.state = state
        dueAt = request.dueAt
        self.completedAt = completedAt
        self.receipts = receipts
    }

    enum CodingKeys: String, CodingKey {
        case request, subject, scope, source, state, receipts
        case requestedAt = "requested_at_ms"
        case dueAt = "due_at_ms"
        case completedAt = "completed_at_ms"
    }
}
