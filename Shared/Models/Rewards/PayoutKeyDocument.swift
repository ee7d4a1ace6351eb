/// The document of a record of kind `payout_key`: the public key to which payout numbers are sealed.
public struct PayoutKeyDocument: Codable, Sendable, Hashable {
    /// The first 8 bytes of the key's SHA-256 in hexadecimal.
    public var id: String
    /// P-256, X9.63, in base64.
    public var publicKey: String

    public init(id: String, publicKey: String) {
        self.id = id
        self.publicKey = publicKey
    }

    enum CodingKeys: String, CodingKey {
        case id
        case publicKey = "public_key"
    }
}
