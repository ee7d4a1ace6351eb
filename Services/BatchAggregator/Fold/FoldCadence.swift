import Models

/// When the next slice is folded. Pure.
///
/// While blocks keep coming, a fold is followed by a rest of three times its length: the busier the service, the more rows a
/// fold merges, and the less each costs. It does not rest when blocks pause, nor when as many wait as a fold takes. A new
/// fold begins at most once a second.
struct FoldCadence {
    /// Least time between the beginnings of two folds, ms.
    static let interval: UnixMilliseconds = 1_000
    /// Blocks have paused when none came for so long, ms; longer than blocks gather before they are applied.
    static let pause: UnixMilliseconds = 700

    private var foldBegan: UnixMilliseconds?
    private var blocksCame: UnixMilliseconds = 0
    private var sliceEnded: UnixMilliseconds = 0
    private var rested: UnixMilliseconds = 0
    /// True from the first slice that began in a pause until blocks come again. A slice keeps the thread, so the time it
    /// takes says nothing about blocks: only what comes after its end does.
    private var isQuiet = false

    /// How many times as long as the work it follows a rest is, while blocks keep coming.
    static let rest: UnixMilliseconds = 3

    mutating func blocksCame(_ now: UnixMilliseconds) {
        blocksCame = now
        isQuiet = false
    }

    mutating func sliceBegan(_ now: UnixMilliseconds, isFirstOfFold: Bool) {
        if now >= max(blocksCame, sliceEnded) + FoldCadence.pause { isQuiet = true }
        if isFirstOfFold { foldBegan = now }
    }

    mutating func sliceEnded(_ now: UnixMilliseconds, isLastOfFold: Bool) {
        sliceEnded = now
        if isLastOfFold { rested = now + FoldCadence.rest * (now - (foldBegan ?? now)) }
    }

    /// Nothing can be folded now; try again in a second.
    mutating func postpone(_ now: UnixMilliseconds) {
        sliceEnded = now + FoldCadence.interval
        rested = sliceEnded
    }

    /// When the next slice is due.
    ///
    /// - Parameters:
    ///   - isWithinFold: false: it will be the first of a new fold.
    ///   - isWholeFoldWaiting: as many blocks wait as a fold takes.
    func due(isWithinFold: Bool, isWholeFoldWaiting: Bool) -> UnixMilliseconds {
        if isWithinFold { return sliceEnded }
        let due =
            isQuiet || isWholeFoldWaiting ? sliceEnded : min(rested, max(blocksCame, sliceEnded) + FoldCadence.pause)
        return foldBegan.map { max(due, $0 + FoldCadence.interval) } ?? due
    }
}
