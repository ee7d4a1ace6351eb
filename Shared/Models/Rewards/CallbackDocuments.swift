extension RecordKind {
    /// That a provider of rewards has called back, on the `requests` lane: ``ProviderCallbackDocument``. About no device that could be
    /// named there.
    public static let providerCallback = RecordKind(
        id: 38, name: "provider_callback", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// How a provider's callbacks are recognised, on the `rewards` lane: ``CallbackSecretDocument``, keyed by the provider's name in the
    /// settings. Without document: it does not call any more.
    public static let callbackSecret = RecordKind(
        id: 39, name: "callback_secret", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `provider_callback`: which order a provider has called back about, and nothing of what it said,
/// which may name a phone number and is not believed anyway.
public struct ProviderCallbackDocument: Codable, Sendable, Equatable {
    /// Its name in the settings.
    public var provider: String
    /// Our reference of the order, 32 hexadecimal digits; nil if it names none that could be ours.
    public var reference: String?
    /// The provider's own name of the order.
    public var providerID: String?

    public init(provider: String, reference: String?, providerID: String?) {
        self.provider = provider
        self.reference = reference
        self.providerID = providerID
    }

    /// Longest name that a provider may give to an order, in characters of ASCII.
    public static let mostCharacters = 128

    enum CodingKeys: String, CodingKey {
        case provider, reference
        case providerID = "provider_id"
    }
}

/// The document of a record of kind `callback_secret`. The secret itself is in the path that the provider calls, and on no lane.
public struct CallbackSecretDocument: Codable, Sendable, Equatable {
    public var provider: String
    /// SHA-256 of the secret's text, in hexadecimal.
    public var sha256: String

    public init(provider: String, sha256: String) {
        self.provider = provider
        self.sha256 = sha256
    }

    /// Where a provider calls back at the phones' API, without its secret.
    public static func path(of provider: String) -> String { "/v1/callbacks/\(provider)" }
}
