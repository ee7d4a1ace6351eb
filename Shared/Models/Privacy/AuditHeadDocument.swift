/// The document of a record of kind `audit_head`: whoever keeps one can tell later whether the log was cut or rewritten.
public struct AuditHeadDocument: Codable, Sendable, Hashable {
    /// Entries of the log.
    public var count: Int64
    /// Hash of the last entry, 64 hexadecimal digits.
    public var hash: String
    /// When the last entry was written, Unix milliseconds.
    public var atMs: UnixMilliseconds
    /// Ed25519 over count, hash and time, 128 hexadecimal digits.
    public var signature: String

    public init(count: Int64, hash: String, atMs: UnixMilliseconds, signature: String) {
        self.count = count
        self.hash = hash
        self.atMs = atMs
        self.signature = signature
    }

    enum CodingKeys: String, CodingKey {
        case count, hash, signature
        case atMs = "at_ms"
    }
}

extension RecordKind {
    /// How long the audit log is and what its last hash is, on the `privacy` lane under the key `head`; the document is an
    /// ``AuditHeadDocument``.
    public static let auditHead = RecordKind(
        id: 14, name: "audit_head", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
