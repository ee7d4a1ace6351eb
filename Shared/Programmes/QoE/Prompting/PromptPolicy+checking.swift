internal import Foundation

extension PromptPolicy {
    /// What is wrong with a policy: one member, and why.
    public struct Fault: Error, Sendable, Equatable {
        /// Path of the member: `rules.slow_speed.below_percent`.
        public let field: String
        /// What is expected: `is not a whole number of 1…100`.
        public let problem: String

        public init(_ field: String, _ problem: String) {
            self.field = field
            self.problem = problem
        }
    }

    /// Whole numbers a member may have, by its path.
    public static let ranges: [String: ClosedRange<Int64>] = [
        // JSON numbers are exact up to here everywhere.
        "version": 1...(1 << 53), "daily_maximum": 0...20,
        "rules.call_drop.drops": 1...20, "rules.call_drop.within_minutes": 1...1_440,
        "rules.slow_speed.below_percent": 1...100, "rules.slow_speed.without_median_below_kbps": 1...1_000_000,
        "rules.no_service.after_seconds": 0...86_400,
        "pause.between_minutes": 0...1_440, "pause.after_ignored_minutes": 1...43_200, "pause.factor": 1...10,
        "pause.longest_minutes": 1...43_200,
    ]

    /// Checks a policy that is to be published, or was: ranges, hours, time zone.
    ///
    /// - Throws: ``Fault``, for the first member that cannot be.
    public func check() throws(Fault) {
        for (field, value) in numbers {
            guard let value, let range = Self.ranges[field] else { continue }
            guard range.contains(value) else {
                throw Fault(field, "is not a whole number of \(range.lowerBound)…\(range.upperBound)")
            }
        }
        guard TimeZone(identifier: timeZone) != nil else { throw Fault("time_zone", "is not the name of a time zone") }
        guard pause.longestMinutes >= pause.afterIgnoredMinutes else {
            throw Fault("pause.longest_minutes", "is below pause.after_ignored_minutes")
        }
        guard let quietHours else { return }
        guard let from = Self.minute(quietHours.from) else { throw Fault("quiet_hours.from", "is not HH:MM") }
        guard let to = Self.minute(quietHours.to) else { throw Fault("quiet_hours.to", "is not HH:MM") }
        guard from != to else { throw Fault("quiet_hours.to", "is quiet_hours.from: leave quiet_hours out instead") }
    }

    private var numbers: [(field: String, value: Int64?)] {
        [
            ("version", version), ("rules.call_drop.drops", rules.callDrop?.drops),
            ("rules.call_drop.within_minutes", rules.callDrop?.withinMinutes),
            ("rules.slow_speed.below_percent", rules.slowSpeed?.belowPercent),
            ("rules.slow_speed.without_median_below_kbps", rules.slowSpeed?.withoutMedianBelowKbps),
            ("rules.no_service.after_seconds", rules.noService?.afterSeconds),
            ("pause.between_minutes", pause.betweenMinutes),
            ("pause.after_ignored_minutes", pause.afterIgnoredMinutes), ("pause.factor", pause.factor),
            ("pause.longest_minutes", pause.longestMinutes), ("daily_maximum", dailyMaximum),
        ]
    }

    /// Minutes since midnight of `HH:MM`; nil if it is none.
    static func minute(_ text: String) -> Int64? {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (48...57).contains(digits[$0]) })
        else { return nil }
        let hour = Int64(digits[0] - 48) * 10 + Int64(digits[1] - 48)
        let minute = Int64(digits[3] - 48) * 10 + Int64(digits[4] - 48)
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }
}
