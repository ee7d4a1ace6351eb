package import Crypto
package import ExporterSupport
internal import Models

/// The names under which a tenant sees devices and records: another one each day, not to be turned back without the key,
/// and not to be matched with those that another tenant sees.
///
///     tenant's key = HMAC-SHA-256(key, "tenant" ‖ 0 ‖ number)
///     name         = HMAC-SHA-256(tenant's key, 'd' device or 'r' record ‖ day ‖ 0 ‖ ordinal or identifier), its first 16 bytes
///
/// Numbers are big-endian. A value with a bounded memo; confined to its query.
package struct Pseudonyms {
    private static let memoLimit = 50_000
    private let key: SymmetricKey
    private let showsOriginalIDs: Bool
    private var day = ""
    private var memo: [Int64: [UInt8]] = [:]

    /// - Parameter key: the exporter's; the tenant's own is derived of it.
    package init(key: SymmetricKey, tenant: Tenant) {
        var message = Array("tenant".utf8) + [0]
        Self.append(UInt64(bitPattern: tenant.number), to: &message)
        self.key = SymmetricKey(data: Array(HMAC<SHA256>.authenticationCode(for: message, using: key)))
        showsOriginalIDs = tenant.showsOriginalIDs
    }

    /// The pseudonym of a device's rows that were received on `day` (UTC, `2026-03-01`): 32 hexadecimal digits.
    package mutating func text(of device: Int64, day: String) -> [UInt8] {
        if day != self.day || memo.count >= Self.memoLimit {
            memo.removeAll(keepingCapacity: true)
            self.day = day
        }
        if let known = memo[device] { return known }
        let text = Array(Hexadecimal.text(name("d", day, [UInt64(bitPattern: device)])).utf8)
        memo[device] = text
        return text
    }

    /// The identifier of a record that was received on `day`, as the tenant sees it: a UUIDv8, or the original if it may.
    func identifier(_ original: RecordIdentifier, day: String) -> RecordIdentifier {
        guard !showsOriginalIDs else { return original }
        let name = RecordIdentifier(bytes: name("r", day, [original.high, original.low]))
        return RecordIdentifier(high: name.high & ~0xF000 | 0x8000, low: name.low & (1 << 62 - 1) | 1 << 63)
    }

    private func name(_ kind: Unicode.Scalar, _ day: String, _ subject: [UInt64]) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(2 + day.utf8.count + 8 * subject.count)
        message.append(UInt8(ascii: kind))
        message.append(contentsOf: day.utf8)
        message.append(0)
        for number in subject { Self.append(number, to: &message) }
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(16))
    }

    /// Appends a number, big-endian.
    private static func append(_ number: UInt64, to message: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
    }
}
