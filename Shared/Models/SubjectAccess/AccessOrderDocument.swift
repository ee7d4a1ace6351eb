/// The document of a record of kind `access_order`: what a service needs to give what it holds about a device. It stands beside
/// the device's ordinal, and goes with the request.
public struct AccessOrderDocument: Codable, Sendable, Equatable {
    /// Identifier of the request.
    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits: what the audit log names.
    public var subject: String
    /// To whom parts are sealed: the request's one-time key, X9.63, base64.
    public var publicKey: String
    /// The last blocks of ingest's lanes that may have records of before the request.
    public var barriers: [Position]
    /// When ingest committed it, Unix milliseconds.
    public var requestedAt: UnixMilliseconds
    /// When the private key is deleted and parts are worth nothing, Unix milliseconds.
    public var expiresAt: UnixMilliseconds

    public init(
        request: String, subject: String, publicKey: String, barriers: [Position], requestedAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds
    ) {
        self.request = request
        self.subject = subject
        self.publicKey = publicKey
        self.barriers = barriers
        self.requestedAt = requestedAt
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case request, subject, barriers
        case publicKey = "public_key"
        case requestedAt = "requested_at_ms"
        case expiresAt = "expires_at_ms"
    }
}
