import Models

/// Takes the sums of a pyramid, cells in ascending order of their store keys within one bucket size.
protocol CellSink {
    mutating func add(_ sum: CellSum, to cell: CellKey) throws
}
