public import Models

/// What can be reached, and by what: streaks, goals and badges. Pure.
public struct EngagementRules: Sendable {
    /// What is counted, each with the rule of its streak.
    public let streaks: [(measure: String, rule: StreakRule)]
    public let goals: [Goal]
    public let badges: [Badge]

    public init(streaks: [(measure: String, rule: StreakRule)], goals: [Goal], badges: [Badge]) {
        self.streaks = streaks
        self.goals = goals
        self.badges = badges
    }

    /// The rules of every measure unless a programme declares others: one missed day in seven is forgiven; the goal is five a
    /// week; badges are for totals, for streaks of 7 and 30 days, and for the goal met 10 and 50 times.
    public static func standard(_ measures: [String]) -> EngagementRules {
        let rule = StreakRule(grace: 1, window: 7)
        let goals = measures.map { Goal(id: "\($0)_week", measure: $0, period: .week, target: 5) }
        let badges = zip(measures, goals).flatMap { measure, goal in
            [1, 10, 100, 1_000].map { Badge(id: "\(measure)_\($0)", .total(measure: measure, $0)) }
                + [7, 30].map { Badge(id: "\(measure)_streak_\($0)", .streak(measure: measure, rule, days: $0)) }
                + [10, 50].map { Badge(id: "\(goal.id)_\($0)", .goalMet(goal, times: $0)) }
        }
        return EngagementRules(streaks: measures.map { ($0, rule) }, goals: goals, badges: badges)
    }

    /// What is counted.
    public var measures: [String] { streaks.map(\.measure) }

    /// What a device has reached, as of its last day.
    public func progress(of device: UInt64, _ tallies: [String: DayTallies]) -> ProgressDocument {
        let last = tallies.values.compactMap { $0.days.last?.day }.max() ?? 0
        let earned = badges.compactMap { badge in
            badge.dayEarned(tallies).map { ProgressDocument.Badge(badge: badge.id, day: $0) }
        }
        return ProgressDocument(
            device: device, totals: tallies.mapValues(\.total),
            streaks: streaks.map { measure, rule in
                let streak = Streak(tallies[measure] ?? DayTallies(), rule, today: last)
                return ProgressDocument.Streak(
                    measure: measure, days: streak.days, best: streak.best, until: streak.lastChance)
            },
            goals: goals.map { goal in
                let progress = GoalProgress(goal, tallies[goal.measure] ?? DayTallies(), today: last)
                let days = goal.period.days(around: last)
                return ProgressDocument.Goal(
                    goal: goal.id, measure: goal.measure, period: goal.period.rawValue, target: goal.target,
                    done: progress.done, from: days.lowerBound, until: days.upperBound - 1,
                    timesMet: progress.timesMet)
            },
            badges: earned.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
                .map(\.element))
    }
}
