import Models

/// Adds sums to the cells of the store: looks each cell up, has a batch of them merged beside that, and writes it.
///
///     looked up ── batch ─▶ merged, by this thread or another ─▶ written, in the order in which they were looked up
///
/// Confined to the thread that writes the database.
final class CellWriter {
    /// Takes what a cell that was written is now.
    typealias Written = (CellKey, CellState) throws -> Void

    /// Batches that wait to be merged and written while another is filled.
    private static let depth = 2

    private let table: CellTable
    private let merger = CellMerger()
    private var filling = CellBatch()
    /// In the order in which they were filled.
    private var offered: [CellBatch] = []
    private var spare: [CellBatch] = []

    init(_ table: CellTable) { self.table = table }

    /// A slice begins; what is left of one that failed is forgotten.
    func begin() {
        table.begin()
        while !offered.isEmpty { recycle(takeOldest()) }
        filling.removeAll()
    }

    /// Adds a sum to a cell, now or by the end of the slice; false if it is a reference that still holds.
    ///
    /// Sums of a slice come in the order of ``CellSink``, after ``begin()``.
    func add(_ sum: CellSum, to cell: CellKey, _ written: Written) throws -> Bool {
        guard try table.look(sum, for: cell, into: filling.next) else { return false }
        filling.take()
        if filling.isFull {
            merger.offer(filling)
            offered.append(filling)
            filling = spare.popLast() ?? CellBatch()
            if offered.count > Self.depth { try writeOldest(written) }
        }
        return true
    }

    /// Writes what is left of the slice.
    func finish(_ written: Written) throws {
        while !offered.isEmpty { try writeOldest(written) }
        merger.merge(filling)
        try write(filling, written)
        filling.removeAll()
    }

    private func writeOldest(_ written: Written) throws {
        let batch = takeOldest()
        defer { recycle(batch) }
        try write(batch, written)
    }

    /// The first that was offered, merged.
    private func takeOldest() -> CellBatch {
        let batch = offered.removeFirst()
        merger.finish(batch)
        return batch
    }

    private func recycle(_ batch: CellBatch) {
        batch.removeAll()
        spare.append(batch)
    }

    private func write(_ batch: CellBatch, _ written: Written) throws {
        if let corrupt = batch.corrupt { throw AggregatorError.cellCorrupt("\(corrupt)") }
        for change in batch.all { try table.write(change) { try written(change.cell, $0) } }
    }
}
