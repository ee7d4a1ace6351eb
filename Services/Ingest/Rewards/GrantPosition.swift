internal import Models

/// The place of a grant among a device's: by when its feedback was received, then by identifier. It never changes.
///
/// As text, `1750000000000-<grant>`, it is the cursor of `GET /v1/me/rewards`.
struct GrantPosition: Comparable, Sendable {
    let receivedAt: UnixMilliseconds
    let grant: String

    init(receivedAt: UnixMilliseconds, grant: String) {
        self.receivedAt = receivedAt
        self.grant = grant
    }

    /// Reads the text; nil if it is none.
    init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let receivedAt = Int64(parts[0]), (1...64).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.init(receivedAt: receivedAt, grant: String(parts[1]))
    }

    var text: String { "\(receivedAt)-\(grant)" }

    static func < (one: GrantPosition, other: GrantPosition) -> Bool {
        (one.receivedAt, one.grant) < (other.receivedAt, other.grant)
    }
}
