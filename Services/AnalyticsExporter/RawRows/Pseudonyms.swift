internal import Crypto

/// The names under which a tenant sees devices: another one each day, not to be turned back without the key.
///
/// HMAC-SHA-256(key, tenant ‖ 0 ‖ day ‖ 0 ‖ ordinal, big-endian), its first 16 bytes as 32 hexadecimal digits. A value
/// with a bounded memo; confined to its query.
struct Pseudonyms {
    private static let memoLimit = 50_000
    private let key: SymmetricKey
    private let tenant: String
    private var day = ""
    private var memo: [Int64: [UInt8]] = [:]

    init(key: SymmetricKey, tenant: String) {
        self.key = key
        self.tenant = tenant
    }

    /// The pseudonym of a device's rows that were received on `day` (UTC, `2026-03-01`).
    mutating func text(of device: Int64, day: String) -> [UInt8] {
        if day != self.day || memo.count >= Self.memoLimit {
            memo.removeAll(keepingCapacity: true)
            self.day = day
        }
        if let known = memo[device] { return known }
        var message = Array(tenant.utf8) + [0] + Array(day.utf8) + [0]
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: device >> Int64(shift)))
        }
        var text: [UInt8] = []
        for byte in HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(16) {
            text.append(JSONText.hexadecimal(byte >> 4))
            text.append(JSONText.hexadecimal(byte & 15))
        }
        memo[device] = text
        return text
    }
}
