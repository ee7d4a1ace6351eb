import Models

/// Takes the sums of a pyramid: those of the day, of its hours, of their 5 minutes; within one size of buckets in ascending
/// order of store keys, so that a cell comes after those inside it.
protocol CellSink {
    mutating func add(_ sum: CellSum, to cell: CellKey) throws
}
