/// The document of a record of kind `erasure_receipt`: a service's word that nothing of a scope is left with it.
///
/// The signature is Ed25519 over ``signed``: the text can be built from the document by anybody.
public struct ErasureReceiptDocument: Codable, Sendable, Equatable {
    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits.
    public var subject: String
    /// Who signs, by the name of its program without `nkul-`.
    public var service: String
    /// The last block of the signer's own lanes that may have had rows of the scope.
    public var barriers: [Position]
    /// Records that were removed: rows of tables and of blocks.
    public var removed: Int
    /// Unix milliseconds.
    public var signedAt: UnixMilliseconds
    /// First 16 hexadecimal digits of the public key's SHA-256.
    public var keyID: String
    /// Ed25519, 128 hexadecimal digits; empty while it is not signed.
    public var signature: String

    public init(
        request: String, subject: String, service: String, barriers: [Position], removed: Int,
        signedAt: UnixMilliseconds, keyID: String, signature: String = ""
    ) {
        self.request = request
        self.subject = subject
        self.service = service
        self.barriers = barriers
        self.removed = removed
        self.signedAt = signedAt
        self.keyID = keyID
        self.signature = signature
    }

    /// What the signature is over: one field a line, UTF-8, each line ended by a line feed.
    ///
    ///     nkul erasure receipt 1
    ///     <request>
    ///     <subject>
    ///     <service>
    ///     <lane>/<generation>/<block>, one line a barrier
    ///     <removed>
    ///     <signed at, Unix milliseconds>
    ///     <key id>
    public var signed: [UInt8] {
        let lines =
            ["nkul erasure receipt 1", request, subject, service] + barriers.map(\.text)
            + [String(removed), String(signedAt), keyID]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    enum CodingKeys: String, CodingKey {
        case request, subject, service, barriers, removed, signature
        case signedAt = "signed_at_ms"
        case keyID = "key_id"
    }
}
