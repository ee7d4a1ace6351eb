/// What makes days a streak.
///
/// A day is *done* if at least ``least`` was done on it. Days between two done days may be *forgiven*: all of them or none, and at
/// most ``grace`` within any ``window`` days of one streak. Forgiven days hold a streak together and do not count.
public struct StreakRule: Sendable, Hashable {
    /// What has to be done on a day, above 0.
    public let least: Int64
    /// Days that are forgiven, not negative, fewer than ``window``.
    public let grace: Int
    /// Within how many days, above 0.
    public let window: Int64

    public init(least: Int64 = 1, grace: Int = 0, window: Int64 = 7) {
        precondition(least > 0 && grace >= 0 && window > Int64(grace))
        self.least = least
        self.grace = grace
        self.window = window
    }
}

/// Days in a row, with grace. Pure.
public struct Streak: Sendable, Equatable {
    /// Done days of the streak that is alive, 0 if none is.
    public let days: Int64
    /// Done days of the longest ever.
    public let best: Int64
    /// The last day on which a done day still continues the streak that is alive; nil if none is.
    package let lastChance: Int64?

    /// - Parameters:
    ///   - today: the local day since 1970; later days do not count yet.
    public init(_ tallies: DayTallies, _ rule: StreakRule, today: Int64) {
        var run = Run(rule), best: Int64 = 0
        for (day, amount) in tallies.days where amount >= rule.least && day <= today {
            run.take(day)
            best = max(best, run.count)
        }
        self.best = best
        lastChance = run.lastChance.flatMap { $0 >= today ? $0 : nil }
        days = lastChance == nil ? 0 : run.count
    }

    /// The day on which a streak first had so many done days; nil if none ever had.
    public static func day(reaching days: Int64, _ tallies: DayTallies, _ rule: StreakRule) -> Int64? {
        var run = Run(rule)
        for (day, amount) in tallies.days where amount >= rule.least {
            run.take(day)
            if run.count >= days { return day }
        }
        return nil
    }

    /// A streak while its days are read in ascending order.
    private struct Run {
        let rule: StreakRule
        var count: Int64 = 0
        private var last: Int64?
        /// Forgiven days that may still share a window with a later one, ascending.
        private var forgiven: [Int64] = []

        init(_ rule: StreakRule) { self.rule = rule }

        mutating func take(_ day: Int64) {
            if let last, canForgive(from: last + 1, to: day) {
                forgiven += Array(last + 1..<day)
                forgiven.removeAll { $0 <= day - rule.window }
                count += 1
            } else {
                count = 1
                forgiven = []
            }
            last = day
        }

        /// The last day that can follow; nil before the first.
        var lastChance: Int64? {
            guard let last else { return nil }
            var day = last + 1
            while day - last <= Int64(rule.grace), canForgive(from: last + 1, to: day + 1) { day += 1 }
            return day
        }

        /// Whether all days of a range may be forgiven, with those that were before.
        private func canForgive(from: Int64, to end: Int64) -> Bool {
            guard end - from <= Int64(rule.grace) else { return false }
            // A window is fullest where it ends on a forgiven day.
            return (from..<end).allSatisfy { day in
                let earlier = forgiven.count { $0 > day - rule.window }
                return earlier + Int(min(day - from + 1, rule.window)) <= rule.grace
            }
        }
    }
}
