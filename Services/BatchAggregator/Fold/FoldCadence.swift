import Models

/// When the next slice is folded. Pure.
///
/// While blocks keep coming, folding takes at most a quarter of the time (the busier, the more rows a fold merges, the
/// less each costs); when they pause, it goes on at once; when it has fallen behind, it does not pause either. A new fold
/// begins at most once a second.
struct FoldCadence {
    /// Least time between the beginnings of two folds, ms.
    static let interval: UnixMilliseconds = 1_000
    /// Blocks have paused when none came for so long, ms; longer than blocks gather before they are applied.
    static let pause: UnixMilliseconds = 1_000

    private var foldBegan: UnixMilliseconds?
    private var blocksCame: UnixMilliseconds = 0
    private var sliceEnded: UnixMilliseconds = 0
    private var rested: UnixMilliseconds = 0
    /// True from the first slice that began in a pause until blocks come again. A slice keeps the thread, so the time it
    /// takes says nothing about blocks: only what comes after its end does.
    private var isQuiet = false

    mutating func blocksCame(_ now: UnixMilliseconds) {
        blocksCame = now
        isQuiet = false
    }

    mutating func foldBegan(_ now: UnixMilliseconds) { foldBegan = now }

    mutating func sliceBegan(_ now: UnixMilliseconds) {
        if now >= max(blocksCame, sliceEnded) + FoldCadence.pause { isQuiet = true }
    }

    /// A slice began at `now` and took `duration` ms.
    mutating func sliceEnded(_ now: UnixMilliseconds, duration: UnixMilliseconds, isBehind: Bool) {
        sliceEnded = now + duration
        rested = now + (isBehind ? duration : 4 * duration)
    }

    /// Nothing can be folded now; try again in a second.
    mutating func postpone(_ now: UnixMilliseconds) {
        sliceEnded = now + FoldCadence.interval
        rested = sliceEnded
    }

    /// When the next slice is due, within a fold or as the first of a new one.
    func due(isWithinFold: Bool) -> UnixMilliseconds {
        let due = isQuiet ? sliceEnded : min(rested, max(blocksCame, sliceEnded) + FoldCadence.pause)
        guard let foldBegan, !isWithinFold else { return due }
        return max(due, foldBegan + FoldCadence.interval)
    }
}
