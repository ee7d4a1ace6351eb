public import Models

/// A wish to erase that is to be committed.
public struct ErasureChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    /// Identifier of the request: a UUID as text.
    let request: String
    let scope: ErasureScope
    let source: ErasureRequestDocument.Source
    /// When it must be completed, Unix milliseconds.
    let dueAt: UnixMilliseconds
    /// When its request was signed, Unix seconds; nil if the device has no key, or an operator asks.
    var signedAt: Int64?

    /// - Parameters:
    ///   - device: the device's ordinal.
    ///   - request: a UUID as text.
    public init(
        device: UInt64, request: String, scope: ErasureScope, source: ErasureRequestDocument.Source,
        dueAt: UnixMilliseconds, signedAt: Int64? = nil
    ) {
        self.device = device
        self.request = request
        self.scope = scope
        self.source = source
        self.dueAt = dueAt
        self.signedAt = signedAt
    }
}
