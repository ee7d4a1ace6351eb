internal import Crypto
public import Models

/// The identifier of a grant, 32 hexadecimal digits.
///
/// A pure function of who, for what and why, so that a feedback that comes again means the same grant:
///
///     first 16 bytes of SHA-256("nkul-grant-1" │ device, 8 bytes big-endian │ record, 16 bytes │ campaign, UTF-8)
public struct GrantID: Sendable, Hashable {
    public let text: String

    public init(device: UInt64, campaign: String, record: RecordIdentifier) {
        var hash = SHA256()
        hash.update(data: Array("nkul-grant-1".utf8))
        for word in [device, record.high, record.low] {
            withUnsafeBytes(of: word.bigEndian) { hash.update(bufferPointer: $0) }
        }
        hash.update(data: Array(campaign.utf8))
        text = Hexadecimal.text(hash.finalize().prefix(16))
    }

    /// One that leads to nobody, of 128 random bits.
    init(_ high: UInt64, _ low: UInt64) {
        text = Hexadecimal.text(RecordIdentifier(high: high, low: low).bytes)
    }

    /// One that was stored.
    package init(stored text: String) { self.text = text }

    /// Sixteen bits that differ from grant to grant, for spreading calls over time.
    var spread: Int64 { Int64(text.prefix(4), radix: 16) ?? 0 }
}

extension RecordIdentifier {
    /// Sixteen bytes, the first the most significant; nil if they are not sixteen.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Sixteen bytes, the first the most significant.
    var bytes: [UInt8] {
        [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
}
