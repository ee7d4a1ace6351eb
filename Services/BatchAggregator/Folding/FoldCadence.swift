package import Models
internal import Storage

/// When the next slice is folded. Pure.
///
/// While blocks keep coming, a fold is followed by a rest of nineteen times its length: the busier the service,
/// the more rows a fold merges, and the less each costs. How long it rests at most depends on how many rows come, not on how long
/// a fold takes, for a machine that is busy with something else makes a small fold long. It does not rest when blocks pause, nor
/// when as many wait as a fold takes. A new fold begins at most once a second.
package struct FoldCadence {
    /// Least time between the beginnings of two folds, ms.
    static let interval: UnixMilliseconds = 1_000
    /// How many times as long as the work it follows a rest is, while blocks keep coming.
    static let rest: UnixMilliseconds = 19
    /// Most of it, ms, for so many rows a second: statistics are not older than that and two folds.
    static func longestRest(rate: Int) -> UnixMilliseconds {
        rate <= few ? 0 : rate < RowRate.many ? 3_000 : 20_000
    }

    /// Rows a second up to which a fold each second costs next to nothing.
    private static let few = 3_000

    private var foldBegan: UnixMilliseconds?
    private var sliceEnded: UnixMilliseconds = 0
    private var rested: UnixMilliseconds = 0
    private var haveBlocksPaused = false
    private var rows = RowRate()

    package init() {}

    /// Blocks with so many rows have come.
    package mutating func blocksCame(rows count: Int, now: UnixMilliseconds) {
        haveBlocksPaused = false
        rows.came(count, now: now)
    }

    /// No blocks come at present, and none wait to be applied.
    package mutating func blocksPaused() { haveBlocksPaused = true }

    package mutating func sliceBegan(_ now: UnixMilliseconds, isFirstOfFold: Bool) {
        if isFirstOfFold { foldBegan = now }
    }

    package mutating func sliceEnded(_ now: UnixMilliseconds, isLastOfFold: Bool) {
        sliceEnded = now
        let length = now - (foldBegan ?? now)
        // A small fold right after a large one does not end the rest after that.
        if isLastOfFold {
            let longest = FoldCadence.longestRest(rate: rows.rate(foldBegan ?? now))
            rested = max(rested, now + min(FoldCadence.rest * length, longest))
        }
    }

    /// Nothing can be folded now; try again in a second.
    package mutating func postpone(_ now: UnixMilliseconds) {
        sliceEnded = now + FoldCadence.interval
        rested = sliceEnded
    }

    /// When the next slice is due.
    ///
    /// - Parameters:
    ///   - isWithinFold: false: it will be the first of a new fold.
    ///   - isWholeFoldWaiting: as many blocks wait as a fold takes.
    package func due(isWithinFold: Bool, isWholeFoldWaiting: Bool) -> UnixMilliseconds {
        if isWithinFold { return sliceEnded }
        let due = haveBlocksPaused || isWholeFoldWaiting ? sliceEnded : rested
        return foldBegan.map { max(due, $0 + FoldCadence.interval) } ?? due
    }
}
