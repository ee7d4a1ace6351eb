internal import Crypto
internal import Foundation
public import Models

/// One entry of the audit log: who did what to whom, chained to the entry before it.
///
/// The hash is SHA-256 over all of it; a text is preceded by its length, so that no two entries look the same:
///
///     "nkul-audit-1" │ number u64 │ at i64 │ length u32, actor │ length u32, action │ length u32, subject
///     │ length u32, detail │ previous hash, 32 bytes                                              (big-endian)
public struct AuditEntry: Sendable, Equatable {
    /// From 1, without gaps.
    public var number: Int64
    public var at: UnixMilliseconds
    /// `device`, the name of a service, or a contact.
    public var actor: String
    /// `consent.given`, …
    public var action: String
    /// HMAC of the device concerned, 32 bytes; empty if none is.
    public var subject: [UInt8]
    /// A JSON object.
    public var detail: String
    /// Hash of the entry before it; zeros in the first.
    public var previous: [UInt8]
    public var hash: [UInt8]

    /// Hash of the entry before the first.
    static let origin = [UInt8](repeating: 0, count: 32)

    /// An entry with its hash.
    public init(
        number: Int64, at: UnixMilliseconds, actor: String, action: String, subject: [UInt8], detail: String,
        previous: [UInt8]
    ) {
        self.init(
            number: number, at: at, actor: actor, action: action, subject: subject, detail: detail, previous: previous,
            hash: [])
        hash = expectedHash
    }

    /// An entry as it is stored.
    init(
        number: Int64, at: UnixMilliseconds, actor: String, action: String, subject: [UInt8], detail: String,
        previous: [UInt8], hash: [UInt8]
    ) {
        self.number = number
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.detail = detail
        self.previous = previous
        self.hash = hash
    }

    /// The hash of what the entry says.
    public var expectedHash: [UInt8] {
        var digest = SHA256()
        digest.update(data: Array("nkul-audit-1".utf8))
        digest.update(data: withUnsafeBytes(of: number.bigEndian, Array.init))
        digest.update(data: withUnsafeBytes(of: at.bigEndian, Array.init))
        for field in [Array(actor.utf8), Array(action.utf8), subject, Array(detail.utf8)] {
            digest.update(data: withUnsafeBytes(of: UInt32(field.count).bigEndian, Array.init))
            digest.update(data: field)
        }
        digest.update(data: previous)
        return Array(digest.finalize())
    }
}
