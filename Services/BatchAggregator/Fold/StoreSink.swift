import Lanes
import Models

/// Adds the sums of a slice to the cells of the store and emits what became of them, a block's worth at a time.
struct StoreSink: CellSink {
    private let writer: CellWriter
    /// Buckets that begin before are sealed: an hour across midnight is with the first of its days.
    private let sealed: Int64
    private var output: Output
    /// The cells that sums came for.
    var folded: FoldedCells { output.folded }

    /// What became of cells.
    private struct Output {
        var emission: Emission
        var emitter = CellEmitter()
        var folded = FoldedCells()

        mutating func take(_ cell: CellKey, _ state: CellState) throws {
            emitter.add(cell, state)
            switch state {
            case .own(_, _, let histograms):
                folded.own += 1
                folded.bytes += histograms.count
            case .reference: folded.references += 1
            case .gone: break  // rows only come to a cell here
            }
            try emitter.emitIfFull(to: &emission)
        }
    }

    init(_ writer: CellWriter, _ emission: Emission, sealed: Int64) {
        self.writer = writer
        self.sealed = sealed
        output = Output(emission: emission)
        writer.begin()
    }

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        if cell.bucketStart < sealed { return }
        if try !writer.add(sum, to: cell, { try output.take($0, $1) }) { output.folded.unchanged += 1 }
    }

    /// Writes and emits what is left; returns the emission.
    mutating func finish() throws -> Emission {
        try writer.finish { try output.take($0, $1) }
        try output.emitter.emit(to: &output.emission)
        return output.emission
    }
}
