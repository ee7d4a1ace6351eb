/// What a subscriber has reached: thresholds over all that was ever granted. Pure; a badge once earned stays.
enum Badge: String, CaseIterable, Sendable {
    case firstFeedback = "first_feedback"
    case ten
    case hundred
    case thousand
    case weekStreak = "week_streak"
    case monthStreak = "month_streak"

    /// What is to be reached.
    enum Threshold: Equatable {
        /// Feedbacks that were granted.
        case feedbacks(Int64)
        /// Days in a row (``Streak/best``).
        case days(Int64)
    }

    var threshold: Threshold {
        switch self {
        case .firstFeedback: .feedbacks(1)
        case .ten: .feedbacks(10)
        case .hundred: .feedbacks(100)
        case .thousand: .feedbacks(1_000)
        case .weekStreak: .days(7)
        case .monthStreak: .days(30)
        }
    }

    /// The badges earned, in the order of their declaration.
    static func earned(feedbacks: Int64, bestStreak: Int64) -> [Badge] {
        allCases.filter { badge in
            switch badge.threshold {
            case .feedbacks(let least): feedbacks >= least
            case .days(let least): bestStreak >= least
            }
        }
    }
}
