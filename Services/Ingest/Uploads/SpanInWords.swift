/// How long something is, for people: `40 seconds`, `12 minutes`, `9 days`, `56 years`.
package enum SpanInWords {
    private static let units: [(seconds: UInt128, name: String)] = [
        (31_557_600, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
    ]

    /// In the largest unit of which there are two, rounded down.
    package static func text(seconds: UInt128) -> String {
        let unit = units.first { seconds >= 2 * $0.seconds } ?? (1, "second")
        let count = seconds / unit.seconds
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
}
