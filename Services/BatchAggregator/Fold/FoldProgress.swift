/// What a committed step did to cells, and what is left to do.
struct FoldProgress: Equatable {
    /// Cells of the folds since the last report.
    var folded = FoldedCells()
    /// Blocks whose open rows are not in cells yet.
    var waitingBlocks = 0
    /// Open rows erased since the last report.
    var erasedRows = 0
}
