package import Models

/// The place of an entry in a list that is told page by page: by a time, then by name. It never changes.
///
/// As text, `1750000000000-<name>`, it is the cursor of `GET /v1/me/rewards` and `/v1/me/impact`.
package struct PagePosition: Comparable, Sendable {
    package let time: UnixMilliseconds
    /// Lower-case hexadecimal digits.
    package let name: String

    /// Before every entry: where the first page begins, the newest first.
    static let first = PagePosition(time: .max, name: "g")

    package init(time: UnixMilliseconds, name: String) {
        self.time = time
        self.name = name
    }

    /// Reads the text; nil if it is none.
    ///
    /// - Parameter digits: how many a name of the list has.
    package init?(text: some StringProtocol, digits: ClosedRange<Int>) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), digits.contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.init(time: time, name: String(parts[1]))
    }

    package var text: String { "\(time)-\(name)" }

    package static func < (one: PagePosition, other: PagePosition) -> Bool {
        (one.time, one.name) < (other.time, other.name)
    }
}
