/// What a committed step did to cells, and what is left to do.
struct FoldProgress: Equatable {
    /// Cells written since the last report.
    var changedCells = 0
    /// Blocks whose open rows are not in cells yet.
    var waitingBlocks = 0
}
