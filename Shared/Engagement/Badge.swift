/// Something to be earned once: by a total, a streak, or a goal that was met so often. Declared by programmes.
public struct Badge: Sendable, Hashable {
    public enum Condition: Sendable, Hashable {
        /// So much of a measure in all.
        case total(measure: String, Int64)
        /// So many done days of a measure in a streak.
        case streak(measure: String, StreakRule, days: Int64)
        /// A goal met in so many periods.
        case goalMet(Goal, times: Int64)
    }

    public let id: String
    public let condition: Condition

    public init(id: String, _ condition: Condition) {
        self.id = id
        self.condition = condition
    }

    /// The day on which it was earned; nil if it was not. A day may move to an earlier one when late facts come, and go when
    /// facts are taken out.
    package func dayEarned(_ tallies: [String: DayTallies]) -> Int64? {
        switch condition {
        case .total(let measure, let amount):
            var sum: Int64 = 0
            return tallies[measure]?.days.first { day in
                sum += day.amount
                return sum >= amount
            }?.day
        case .streak(let measure, let rule, let days):
            return tallies[measure].flatMap { Streak.day(reaching: days, $0, rule) }
        case .goalMet(let goal, let times):
            let met = tallies[goal.measure].map { GoalProgress.met(goal, $0) } ?? []
            return times > 0 && met.count >= times ? met[Int(times) - 1] : nil
        }
    }
}
