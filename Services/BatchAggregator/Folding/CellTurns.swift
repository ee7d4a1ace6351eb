package import Models

/// Who may work on the cells: folds, or an erasure. One of them at a time, and neither starves.
///
/// An erasure works only between folds. If it has to wait for one, none begins for a while after it. Confined to the thread
/// that writes the database.
package final class CellTurns {
    /// How long an erasure that waited has the cells for itself, ms.
    static let turn: UnixMilliseconds = 2_000
    private var isWaiting = false
    private var turnEnds: UnixMilliseconds = 0

    /// Slices of a fold are left.
    package var isFolding = false
    /// No fold may begin until the erasure says so: it relies on what is folded.
    package var isHeld = false

    package init() {}

    /// When a fold may begin; nil: when the erasure has done something.
    package var foldsFrom: UnixMilliseconds? { isHeld || isWaiting ? nil : turnEnds }
    /// Whether an erasure waits for the fold under way.
    package var isAwaited: Bool { isWaiting && isFolding }

    /// Whether an erasure may do a slice now.
    package func takeSlice(_ now: UnixMilliseconds) -> Bool {
        if isFolding { isWaiting = true }
        guard !isFolding else { return false }
        if isWaiting { turnEnds = now + Self.turn }
        isWaiting = false
        return true
    }

    package func erasureEnded() {
        isWaiting = false
        turnEnds = 0
        isHeld = false
    }
}
