/// What a committed step did to cells, and what is left to do.
struct FoldProgress: Equatable {
    /// Cells of the folds since the last report.
    var folded = FoldedCells()
    /// Blocks whose open rows are not in cells yet.
    var waitingBlocks = 0
    /// Open rows erased since the last report.
    var erasedRows = 0
    /// Cells of buckets that were sealed since the last report.
    var sealed = SealedCells()
    /// Rows that came when their bucket was sealed, and do not count, since the last report.
    var lateRows = 0

    /// What has happened so far was told.
    mutating func isReported() {
        self = FoldProgress(waitingBlocks: waitingBlocks)
    }
}
