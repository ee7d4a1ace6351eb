import Models
import Testing

@testable import Engagement

/// Streaks against a reference that looks at every day and every window.
struct StreakTests {
    private func tallies(_ days: [Int64]) -> DayTallies {
        DayTallies(days.enumerated().map { EngagementFact("x", RecordIdentifier(high: 0, low: UInt64($0)), day: $1) })
    }

    /// Every streak there is, by trying: a streak goes on to the next done day exactly if no window of the days between would
    /// have more forgiven days than the rule allows.
    private func reference(_ done: Set<Int64>, _ rule: StreakRule, today: Int64) -> (days: Int64, best: Int64) {
        var best: Int64 = 0, first: Int64?, last: Int64?, count: Int64 = 0
        func isHeld(from: Int64, to: Int64) -> Bool {
            let missed = Set(from...to).subtracting(done)
            return (from - rule.window...to).allSatisfy { start in
                missed.count { $0 >= start && $0 < start + rule.window } <= rule.grace
            }
        }
        for day in done.sorted() where day <= today {
            if let began = first, isHeld(from: began, to: day), last! < day {
                count += 1
            } else {
                (first, count) = (day, 1)
            }
            last = day
            best = max(best, count)
        }
        guard let first, let last else { return (0, 0) }
        // Alive if it could still go on with today done.
        let isAlive =
            last == today
            || {
                let missed = Set(first...today).subtracting(done).subtracting([today])
                return (first - rule.window...today).allSatisfy { start in
                    missed.count { $0 >= start && $0 < start + rule.window } <= rule.grace
                }
            }()
        return (isAlive ? count : 0, best)
    }

    @Test(arguments: 1...20)
    func `streaks are those of the reference, whatever the rule and the days`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<300 {
            let grace = random.below(4), rule = StreakRule(grace: grace, window: Int64(grace + 1 + random.below(8)))
            let done = Set((0..<random.below(25)).map { _ in Int64(100 + random.below(40)) })
            let today = Int64(95 + random.below(50))
            let streak = Streak(tallies(done.sorted()), rule, today: today)
            let wanted = reference(done, rule, today: today)
            #expect(streak.days == wanted.days && streak.best == wanted.best, "\(done.sorted()) \(rule) \(today)")
            if streak.days != wanted.days || streak.best != wanted.best { return }
        }
    }

    @Test(arguments: 1...10)
    func `a done day on the last chance continues a streak, and one day later begins anew`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<200 {
            let grace = random.below(3), rule = StreakRule(grace: grace, window: Int64(grace + 1 + random.below(8)))
            let done = Set((0..<1 + random.below(12)).map { _ in Int64(100 + random.below(20)) })
            let last = try #require(done.max())
            let streak = Streak(tallies(done.sorted()), rule, today: last)
            let chance = try #require(streak.lastChance)
            let continued = Streak(tallies(done.union([chance]).sorted()), rule, today: chance)
            #expect(continued.days == streak.days + 1)
            let late = Streak(tallies(done.union([chance + 1]).sorted()), rule, today: chance + 1)
            #expect(late.days == 1)
            #expect(Streak(tallies(done.sorted()), rule, today: chance).days == streak.days)
            #expect(Streak(tallies(done.sorted()), rule, today: chance + 1).days == 0)
        }
    }

    @Test func `one missed day in seven is forgiven, two are not, and forgiven days do not count`() {
        let rule = StreakRule(grace: 1, window: 7)
        #expect(Streak(tallies([1, 2, 3, 5, 6]), rule, today: 6).days == 5)
        #expect(Streak(tallies([1, 2, 3, 6]), rule, today: 6) == Streak(tallies([6, 1, 2, 3]), rule, today: 6))
        #expect(Streak(tallies([1, 2, 3, 6]), rule, today: 6).days == 1)
        #expect(Streak(tallies([1, 3, 5]), rule, today: 5).days == 1, "the second missed day is within the same week")
        #expect(Streak(tallies([1, 3, 4, 5, 6, 7, 8, 10]), rule, today: 10).days == 8)
    }

    @Test func `what is done a little does not count for a day that wants more`() {
        var tallies = DayTallies()
        for (day, amount) in [(1, 5), (2, 4), (3, 5)] as [(Int64, Int64)] { tallies.add(amount, on: day) }
        #expect(Streak(tallies, StreakRule(least: 5), today: 3).days == 1)
    }
}
