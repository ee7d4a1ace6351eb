extension RecordKind {
    /// Where a subscriber's rewards go from now on, on the `requests` lane; the document is a ``PayoutDocument``.
    public static let payout = RecordKind(
        id: 17, name: "payout", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// The key to which payout numbers are sealed, on the `rewards` lane under the key `current`; the document is a
    /// ``PayoutKeyDocument``.
    public static let payoutKey = RecordKind(
        id: 18, name: "payout_key", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `payout`: where a device's rewards go from now on, for the reward dispatcher's eyes only.
public struct PayoutDocument: Codable, Sendable, Hashable {
    /// Which of the dispatcher's keys it is sealed to (``PayoutKeyDocument/id``).
    public var key: String?
    /// A ``PayoutNumber`` as JSON, sealed and in base64; nil: the number is withdrawn.
    public var sealed: String?

    public init(key: String?, sealed: String?) {
        self.key = key
        self.sealed = sealed
    }

    /// What HPKE calls `info`.
    public static let purpose = "nkul-payout-1"

    /// What a sealed number is bound to: it opens only for the device that sent it.
    public static func additional(device: UInt64) -> [UInt8] { withUnsafeBytes(of: device.bigEndian) { Array($0) } }
}

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
