/// Days in a row. Pure.
///
/// A day counts if at least one feedback that was received on it was granted, whatever became of the payment. The streak
/// is alive while the last such day is today or yesterday: who gave none yet today has until midnight.
struct Streak: Equatable, Sendable {
    /// Days of the streak that is alive; 0 if none is.
    let days: Int64
    /// Days of the longest ever.
    let best: Int64

    /// - Parameter today: the local day, since 1970.
    init(_ rewarded: RewardedDays, today: Int64) {
        let until = rewarded.length(endingOn: today)
        days = until > 0 ? until : rewarded.length(endingOn: today - 1)
        best = rewarded.best
    }
}
