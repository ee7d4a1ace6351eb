package import Models

/// When the next slice is folded. Pure.
///
/// While blocks keep coming, a fold is followed by a rest of nineteen times its length, a minute at most: the busier the service,
/// the more rows a fold merges, and the less each costs. It does not rest when blocks pause, nor when as many wait as a fold takes. A new
/// fold begins at most once a second.
package struct FoldCadence {
    /// Least time between the beginnings of two folds, ms.
    static let interval: UnixMilliseconds = 1_000
    /// How many times as long as the work it follows a rest is, while blocks keep coming.
    static let rest: UnixMilliseconds = 19
    /// Most of it, ms: statistics are not older than that and two folds, however long those take.
    static let longestRest: UnixMilliseconds = 60_000

    private var foldBegan: UnixMilliseconds?
    private var sliceEnded: UnixMilliseconds = 0
    private var rested: UnixMilliseconds = 0
    private var haveBlocksPaused = false

    package init() {}

    package mutating func blocksCame() { haveBlocksPaused = false }

    /// No blocks come at present, and none wait to be applied.
    package mutating func blocksPaused() { haveBlocksPaused = true }

    package mutating func sliceBegan(_ now: UnixMilliseconds, isFirstOfFold: Bool) {
        if isFirstOfFold { foldBegan = now }
    }

    package mutating func sliceEnded(_ now: UnixMilliseconds, isLastOfFold: Bool) {
        sliceEnded = now
        let length = now - (foldBegan ?? now)
        // A small fold right after a large one does not end the rest after that.
        if isLastOfFold { rested = max(rested, now + min(FoldCadence.rest * length, FoldCadence.longestRest)) }
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
