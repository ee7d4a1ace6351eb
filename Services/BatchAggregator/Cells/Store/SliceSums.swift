import Models

/// Takes batches of sums, in the order of ``CellSink``.
protocol BatchTaker: AnyObject {
    /// Takes a full batch; returns an empty one for what comes next.
    ///
    /// - Throws: what ends the slice.
    func pass(_ batch: CellBatch) throws -> CellBatch
}

/// Makes the sums of slices, a batch at a time. Keeps its memory between slices. Confined to one thread.
struct SliceSums {
    private var rows: RowSlice
    private var pyramid = CellPyramid()

    init(_ rules: CountingRules) { rows = RowSlice(rules) }

    private struct Sink: CellSink {
        let taker: any BatchTaker
        let sealed: Int64
        var batch: CellBatch

        mutating func add(_ sum: CellSum, to cell: CellKey) throws {
            if cell.bucketStart < sealed { return }
            batch.append(sum, of: cell)
            if batch.isFull { batch = try taker.pass(batch) }
        }
    }

    /// Fills batches, beginning with an empty one, and passes those that are full; returns the last.
    mutating func make(_ slice: FoldSlice, into batch: CellBatch, for taker: any BatchTaker) throws -> CellBatch {
        rows.load(slice.part)
        defer { rows.forgetRecords() }
        var sink = Sink(taker: taker, sealed: slice.sealed, batch: batch)
        try pyramid.add(&rows, day: slice.day, to: &sink)
        return sink.batch
    }
}
