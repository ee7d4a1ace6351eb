/// Something to be reached in each period: five feedbacks a week.
public struct Goal: Sendable, Hashable {
    public let id: String
    public let measure: String
    public let period: CalendarPeriod
    /// Above 0.
    public let target: Int64

    public init(id: String, measure: String, period: CalendarPeriod, target: Int64) {
        precondition(target > 0)
        self.id = id
        self.measure = measure
        self.period = period
        self.target = target
    }
}

/// How far a subscriber is with a goal. Pure.
public struct GoalProgress: Sendable, Equatable {
    /// What was done in the period of today.
    public let done: Int64
    /// Periods in which it was met, that of today too.
    public let timesMet: Int64

    public init(_ goal: Goal, _ tallies: DayTallies, today: Int64) {
        done = tallies.sum(goal.period.days(around: today))
        timesMet = Int64(Self.met(goal, tallies).count { $0 <= today })
    }

    /// The day on which it was met in each period in which it was, ascending.
    static func met(_ goal: Goal, _ tallies: DayTallies) -> [Int64] {
        var met: [Int64] = [], period: Range<Int64>?, sum: Int64 = 0
        for (day, amount) in tallies.days {
            if period?.contains(day) != true {
                period = goal.period.days(around: day)
                sum = 0
            }
            if sum < goal.target, sum + amount >= goal.target { met.append(day) }
            sum += amount
        }
        return met
    }
}
