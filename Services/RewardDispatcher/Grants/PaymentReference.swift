internal import Crypto
internal import Models

/// The name under which a provider knows one attempt to pay a grant: 32 hexadecimal digits, which read as a UUID of version 4.
///
/// A pure function of grant and attempt. Providers refuse a reference that they have seen, also that of an attempt that
/// failed, so each attempt has one of its own:
///
///     first 16 bytes of SHA-256("nkul-payment-1" │ grant, 32 digits │ attempt, 8 bytes big-endian),
///     with the bits of a UUID's version and variant set
public struct PaymentReference: Sendable, Hashable {
    public let text: String

    /// - Parameter attempt: from 1.
    public init(_ grant: GrantID, attempt: Int) {
        var hash = SHA256()
        hash.update(data: Array("nkul-payment-1".utf8))
        hash.update(data: Array(grant.text.utf8))
        withUnsafeBytes(of: UInt64(attempt).bigEndian) { hash.update(bufferPointer: $0) }
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        text = Hexadecimal.text(bytes)
    }

    /// One that was stored. Attempts of before there were references have the text of their grant.
    init(stored text: String) { self.text = text }

    /// With hyphens, as UUIDs are written: `8-4-4-4-12` digits.
    public var uuid: String {
        let digits = Array(text)
        guard digits.count == 32 else { return text }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
