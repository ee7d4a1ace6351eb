/// Cells that rows of folds came to, by what became of them.
struct FoldedCells: Equatable {
    /// Written and published with figures.
    var own = 0
    /// Written and published as references to a cell inside.
    var references = 0
    /// References that still hold: nothing was written.
    var unchanged = 0
    /// Bytes of histograms written.
    var bytes = 0

    var count: Int { own + references + unchanged }

    static func += (left: inout Self, right: Self) {
        left.own += right.own
        left.references += right.references
        left.unchanged += right.unchanged
        left.bytes += right.bytes
    }
}
