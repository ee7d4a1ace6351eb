extension RecordKind {
    /// What a device has reached by what it contributed, on the `rewards` lane: ``ProgressDocument``, keyed by the device's
    /// ordinal.
    public static let progress = RecordKind(
        id: 33, name: "progress", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `progress`: a function of which records of a device were accepted, and under which local
/// days they were captured. Days are counted from 1970.
public struct ProgressDocument: Codable, Sendable, Equatable {
    /// Days in a row, as of the last day on which something was done.
    public struct Streak: Codable, Sendable, Equatable {
        public var measure: String
        public var days: Int64
        public var best: Int64
        /// The last day on which the streak can be continued; it is over afterwards. Nil if none is alive.
        public var until: Int64?

        public init(measure: String, days: Int64, best: Int64, until: Int64?) {
            self.measure = measure
            self.days = days
            self.best = best
            self.until = until
        }
    }

    /// How far a goal was in the period of the last day on which something was done.
    public struct Goal: Codable, Sendable, Equatable {
        public var goal: String
        public var measure: String
        /// `day`, `week` or `month`.
        public var period: String
        public var target: Int64
        public var done: Int64
        /// First and last day of that period.
        public var from: Int64
        public var until: Int64
        /// Periods in which it was met.
        public var timesMet: Int64

        public init(
            goal: String, measure: String, period: String, target: Int64, done: Int64, from: Int64, until: Int64,
            timesMet: Int64
        ) {
            self.goal = goal
            self.measure = measure
            self.period = period
            self.target = target
            self.done = done
            self.from = from
            self.until = until
            self.timesMet = timesMet
        }

        enum CodingKeys: String, CodingKey {
            case goal, measure, period, target, done, from, until
            case timesMet = "times_met"
        }
    }

    /// Something that was earned, and on which day.
    public struct Badge: Codable, Sendable, Equatable {
        public var badge: String
        public var day: Int64

        public init(badge: String, day: Int64) {
            self.badge = badge
            self.day = day
        }
    }

    /// The device's ordinal.
    public var device: UInt64
    /// What was done in all, by measure.
    public var totals: [String: Int64]
    public var streaks: [Streak]
    public var goals: [Goal]
    /// In the order of their days.
    public var badges: [Badge]

    public init(device: UInt64, totals: [String: Int64], streaks: [Streak], goals: [Goal], badges: [Badge]) {
        self.device = device
        self.totals = totals
        self.streaks = streaks
        self.goals = goals
        self.badges = badges
    }
}
