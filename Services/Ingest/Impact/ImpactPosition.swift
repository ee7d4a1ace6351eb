internal import Crypto
internal import Models

/// The place of an alarm among those that a device helped to raise: by when its first record was received, then by name. It
/// never changes.
///
/// As text, `1750000000000-<name>`, it is the cursor of `GET /v1/me/impact`.
struct ImpactPosition: Comparable, Sendable {
    let firstAt: UnixMilliseconds
    let name: String

    init(firstAt: UnixMilliseconds, name: String) {
        self.firstAt = firstAt
        self.name = name
    }

    /// Reads the text; nil if it is none.
    init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let firstAt = Int64(parts[0]), parts[1].utf8.count == 32,
            parts[1].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.init(firstAt: firstAt, name: String(parts[1]))
    }

    var text: String { "\(firstAt)-\(name)" }

    /// How subscribers are told an alarm's identifier, which itself names its place: 32 hexadecimal digits.
    static func name(ofAlarm id: String) -> String {
        SHA256.hash(data: Array(id.utf8)).prefix(16).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
    }

    static func < (one: ImpactPosition, other: ImpactPosition) -> Bool {
        (one.firstAt, one.name) < (other.firstAt, other.name)
    }
}
