import Lanes
import Models

/// Adds the sums of a slice to the cells of the store and emits what became of them, a block's worth at a time.
struct StoreSink: CellSink {
    let table: CellTable
    /// Buckets that begin before are sealed: an hour across midnight is with the first of its days.
    private let sealed: Int64
    private var emission: Emission
    private var emitter = CellEmitter()
    /// The cells that sums came for.
    private(set) var folded = FoldedCells()

    init(_ table: CellTable, _ emission: Emission, sealed: Int64) {
        self.table = table
        self.sealed = sealed
        self.emission = emission
        table.begin()
    }

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        if cell.bucketStart < sealed { return }
        let isChanged = try table.add(sum, to: cell) { state in
            emitter.add(cell, state)
            switch state {
            case .own(_, _, let histograms):
                folded.own += 1
                folded.bytes += histograms.count
            case .reference: folded.references += 1
            case .gone: break  // rows only come to a cell here
            }
        }
        if !isChanged { folded.unchanged += 1 }
        try emitter.emitIfFull(to: &emission)
    }

    /// Emits what is left; returns the emission.
    mutating func finish() throws -> Emission {
        try emitter.emit(to: &emission)
        return emission
    }
}
