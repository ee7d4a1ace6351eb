/// Who may work on the cells: folds, or an erasure. One of them at a time, and neither starves.
///
/// An erasure works only between folds. If it has to wait for one, it may do a number of slices before
/// the next begins. Confined to the thread that writes the database.
final class CellTurns {
    /// Slices that an erasure may do between two folds: one or two seconds.
    static let erasureSlices = 100
    private var slices = 0

    /// Slices of a fold are left.
    var isFolding = false
    /// No fold may begin until the erasure says so: it relies on what is folded.
    var isHeld = false

    /// Whether a fold may begin.
    var mayFold: Bool { !isHeld && slices == 0 }
    /// Whether an erasure waits for the fold under way.
    var isAwaited: Bool { slices > 0 && isFolding }

    /// Whether an erasure may do a slice now.
    func takeSlice() -> Bool {
        guard !isFolding else {
            slices = Self.erasureSlices
            return false
        }
        slices = max(0, slices - 1)
        return true
    }

    func erasureEnded() {
        slices = 0
        isHeld = false
    }
}
