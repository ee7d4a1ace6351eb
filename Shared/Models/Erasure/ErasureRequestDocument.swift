/// The document of a record of kind `erasure_request`: what a subscriber, or an operator for one, asked for.
public struct ErasureRequestDocument: Codable, Sendable, Equatable {
    /// Who may ask.
    public enum Source: String, Codable, Sendable {
        case device, operatorAdmin = "operator", restore
    }

    public var subject: ErasureSubjectDocument
    /// When ingest committed it, Unix milliseconds.
    public var requestedAt: UnixMilliseconds
    /// When it must be completed, Unix milliseconds.
    public var dueAt: UnixMilliseconds
    public var source: Source

    public init(
        subject: ErasureSubjectDocument, requestedAt: UnixMilliseconds, dueAt: UnixMilliseconds, source: Source
    ) {
        self.subject = subject
        self.requestedAt = requestedAt
        self.dueAt = dueAt
        self.source = source
    }

    enum CodingKeys: String, CodingKey {
        case subject, source
        case requestedAt = "requested_at_ms"
        case dueAt = "due_at_ms"
    }
}
