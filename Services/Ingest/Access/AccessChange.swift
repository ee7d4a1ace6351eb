public import Models

/// A wish for a copy of everything that is to be committed.
public struct AccessChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    /// Identifier of the request if it is a new one: a UUID as text.
    let request: String
    /// The one-time private key of the request, 32 bytes.
    let key: [UInt8]
    let source: AccessRequestDocument.Source
    /// When its request was signed, Unix seconds; nil if the device has no key, or an operator asks.
    let signedAt: Int64?

    /// - Parameters:
    ///   - device: the device's ordinal.
    ///   - request: a UUID as text.
    ///   - key: made for this request, `RecipientSeal.newKey()`.
    public init(
        device: UInt64, request: String, key: [UInt8], source: AccessRequestDocument.Source, signedAt: Int64? = nil
    ) {
        self.device = device
        self.request = request
        self.key = key
        self.source = source
        self.signedAt = signedAt
    }
}
