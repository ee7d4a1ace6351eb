package import Models

/// Takes what becomes of cells. Confined to the thread that writes the database.
package protocol CellOutput: AnyObject {
    /// A cell was written.
    func take(_ cell: CellKey, _ state: CellState) throws
    /// A cell is a reference that still holds: nothing was written.
    func takeUnchanged()
}

/// Adds the rows of slices to the cells of the store: has their sums made, looks each cell up, has it merged and writes it.
///
///     sums ─▶ batch ─▶ looked up ─▶ merged ─▶ written, in the order in which they were looked up
///      └ beside that, by CellWorker ┘  └ by whoever comes to it first
///
/// Confined to the thread that writes the database.
package final class CellWriter {
    /// Batches that wait to be merged and written while another is looked up.
    private static let depth = 2
    /// Base cells of a slice for which another thread is not worth waking.
    private static let few = 16

    private let table: CellTable
    private let worker: CellWorker
    /// In the order in which they were looked up.
    private var offered: [CellBatch] = []
    /// Of slices that this thread does alone.
    private let batch = CellBatch()
    private var sums: SliceSums
    /// The slice of which sums are being made, though it was not added yet.
    private var ahead: FoldSlice?

    /// Bytes of a batch that has been looked up, from which on it is split.
    private let bytes: Int

    /// - Parameter rules: those by which the rows were made.
    package init(_ rules: CountingRules, _ table: CellTable, bytes: Int = 512 << 10) {
        worker = CellWorker(rules, batches: CellWriter.depth + 4)
        sums = SliceSums(rules)
        self.table = table
        self.bytes = bytes
    }

    /// Adds the rows of a slice. What is left of one that failed, or was said to come next and does not, is forgotten.
    ///
    /// - Parameter next: the slice that is likely to come next: its sums are made while this one is written and committed.
    package func add(_ slice: FoldSlice, before next: FoldSlice? = nil, to output: any CellOutput) throws {
        table.begin()
        while !offered.isEmpty { recycle(takeOldest()) }
        let isBegun = ahead.map(slice.hasSums) ?? false
        ahead = nil
        if !isBegun {
            worker.giveUp()
            if Self.isSmall(slice) { return try addAlone(slice, to: output) }
            worker.begin(slice)
        }
        while true {
            switch try worker.next() {
            case .batch(let batch): try take(batch, output)
            case .notBegun: return try addAlone(slice, to: output)
            case .end:
                if let next, !Self.isSmall(next) { begin(next) }
                while !offered.isEmpty { try writeOldest(to: output) }
                return
            }
        }
    }

    private static func isSmall(_ slice: FoldSlice) -> Bool { slice.part.keys.count < few }

    private func begin(_ next: FoldSlice) {
        worker.begin(next)
        ahead = next
    }

    /// Looks a batch up and has it merged, and writes those before it.
    private func take(_ batch: CellBatch, _ output: any CellOutput) throws {
        var next: CellBatch? = batch
        while let batch = next {
            do { next = try look(batch, output) } catch {
                recycle(batch)
                throw error
            }
            worker.offer(batch)
            offered.append(batch)
            while offered.count > Self.depth || (next != nil && offered.count > 1) { try writeOldest(to: output) }
        }
    }

    /// Does a slice on this thread.
    private func addAlone(_ slice: FoldSlice, to output: any CellOutput) throws {
        let alone = Alone(writer: self, output: output)
        defer { batch.removeAll() }
        try finish(sums.make(slice, into: batch, for: alone), output)
    }

    private final class Alone: BatchTaker {
        let writer: CellWriter
        let output: any CellOutput

        init(writer: CellWriter, output: any CellOutput) {
            self.writer = writer
            self.output = output
        }

        func pass(_ batch: CellBatch) throws -> CellBatch {
            try writer.finish(batch, output)
            batch.removeAll()
            return batch
        }
    }

    private func finish(_ batch: CellBatch, _ output: any CellOutput) throws {
        var next: CellBatch? = batch
        while let batch = next {
            next = try look(batch, output)
            worker.merge(batch)
            try write(batch, output)
        }
    }

    /// Looks up what is in a batch; returns what was split off it because the figures of the others are large.
    private func look(_ batch: CellBatch, _ output: any CellOutput) throws -> CellBatch? {
        var bytes = 0
        for (place, change) in batch.all.enumerated() {
            if try !table.look(change) { output.takeUnchanged() }
            bytes += change.byteCount
            if bytes > self.bytes, place + 1 < batch.all.count { return batch.split(at: place + 1) }
        }
        return nil
    }

    private func writeOldest(to output: any CellOutput) throws {
        let batch = takeOldest()
        defer { recycle(batch) }
        try write(batch, output)
    }

    /// One that was split off is not used again.
    private func recycle(_ batch: CellBatch) { if !batch.isSplitOff { worker.recycle(batch) } }

    /// The first that was offered, merged.
    private func takeOldest() -> CellBatch {
        let batch = offered.removeFirst()
        worker.finish(batch)
        return batch
    }

    private func write(_ batch: CellBatch, _ output: any CellOutput) throws {
        if let corrupt = batch.corrupt { throw AggregatorError.cellCorrupt("\(corrupt)") }
        for change in batch.all where !change.isUnchanged {
            try table.write(change) { try output.take(change.cell, $0) }
        }
    }
}
