internal import Models

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
}
