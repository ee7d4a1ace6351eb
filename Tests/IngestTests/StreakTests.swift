import Models
import Testing

@testable import IngestAPI

@Suite struct StreakTests {
    private func days(_ days: [Int64]) -> RewardedDays {
        var rewarded = RewardedDays()
        for day in days { rewarded.insert(day) }
        return rewarded
    }

    @Test func `a streak is alive while its last day is today or yesterday`() {
        let rewarded = days([10, 11, 12])
        #expect(Streak(rewarded, today: 12).days == 3)
        #expect(Streak(rewarded, today: 13).days == 3)
        #expect(Streak(rewarded, today: 14).days == 0)
        #expect(Streak(rewarded, today: 14).best == 3)
        #expect(Streak(rewarded, today: 9).days == 0, "days that have not come yet are none")
        #expect(Streak(rewarded, today: 11).days == 2)
    }

    @Test func `nobody has a streak without days`() {
        let streak = Streak(RewardedDays(), today: 20_000)
        #expect(streak.days == 0 && streak.best == 0)
    }

    @Test func `a gap ends a run, and a day that comes late closes it`() {
        var rewarded = days([1, 2, 3, 5, 6])
        #expect(rewarded.runs == [1...3, 5...6] && rewarded.best == 3)
        rewarded.insert(4)
        #expect(rewarded.runs == [1...6] && rewarded.best == 6)
        rewarded.insert(4)
        #expect(rewarded.runs == [1...6])
    }

    @Test(arguments: 0..<50)
    func `runs are those of the set of days, in whatever order they come`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var rewarded = RewardedDays(), naive: Set<Int64> = []
        for _ in 0..<200 {
            let day = Int64.random(in: -60...60, using: &random)
            rewarded.insert(day)
            naive.insert(day)
        }
        #expect(Set(rewarded.runs.flatMap { $0.map(Int64.init) }) == naive)
        #expect(zip(rewarded.runs, rewarded.runs.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
        let lengths = (-62...62 as ClosedRange<Int64>).map { today in
            (0...).first { !naive.contains(today - $0) } ?? 0
        }
        #expect((-62...62).map { rewarded.length(endingOn: $0) } == lengths)
        #expect(try RewardedDays(rewarded.encoded, best: rewarded.best) == rewarded)
    }

    @Test func `of too many runs the oldest go, and the best is remembered`() {
        var rewarded = days([0, 1, 2])
        for day in 1...1_000 as ClosedRange<Int64> { rewarded.insert(day * 2 + 10) }
        #expect(rewarded.runs.count == RewardedDays.mostRuns && rewarded.best == 3)
        #expect(rewarded.runs.last == 2_010...2_010 && rewarded.encoded.count == 8 * RewardedDays.mostRuns)
    }

    @Test func `damaged days are refused, and days that no calendar has are left out`() {
        #expect(throws: RewardedDays.Damage.self) { try RewardedDays([1, 2, 3], best: 1) }
        #expect(throws: RewardedDays.Damage.self) { try RewardedDays([5, 0, 0, 0, 4, 0, 0, 0], best: 1) }
        #expect(days([.max, .min]).runs.isEmpty)
    }

    @Test func `badges are thresholds of feedbacks and of the longest streak`() {
        #expect(Badge.earned(feedbacks: 0, bestStreak: 0) == [])
        #expect(Badge.earned(feedbacks: 1, bestStreak: 1) == [.firstFeedback])
        #expect(Badge.earned(feedbacks: 9, bestStreak: 6) == [.firstFeedback])
        #expect(Badge.earned(feedbacks: 10, bestStreak: 7) == [.firstFeedback, .ten, .weekStreak])
        #expect(Badge.earned(feedbacks: 99, bestStreak: 29).contains(.hundred) == false)
        #expect(Badge.earned(feedbacks: 1_000, bestStreak: 30) == Badge.allCases)
    }
}
