/// The document of a record of kind `verification_key`: a public key by which signatures of a service can be verified.
public struct VerificationKeyDocument: Codable, Sendable, Equatable {
    /// What a key signs.
    public enum Use: String, Codable, Sendable {
        case erasureReceipts = "erasure_receipts", auditHeads = "audit_heads", exports
    }

    /// First 16 hexadecimal digits of the SHA-256 of the raw key.
    public var keyID: String
    public var service: String
    public var use: Use
    /// `Ed25519`.
    public var algorithm: String
    /// 32 bytes, 64 hexadecimal digits.
    public var publicKey: String
    /// When it was announced, Unix milliseconds.
    public var since: UnixMilliseconds

    public init(
        keyID: String, service: String, use: Use, algorithm: String, publicKey: String, since: UnixMilliseconds
    ) {
        self.keyID = keyID
        self.service = service
        self.use = use
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.since = since
    }

    enum CodingKeys: String, CodingKey {
        case service, use, algorithm
        case keyID = "key_id"
        case publicKey = "public_key"
        case since = "since_ms"
    }
}

extension RecordKind {
    /// A public key that verifies a service's signatures, on the lane it writes and then on `privacy`, keyed by the key's id:
    /// ``VerificationKeyDocument``.
    public static let verificationKey = RecordKind(
        id: 24, name: "verification_key", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
