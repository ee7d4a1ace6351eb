import Lanes
import Models

/// Adds sums to the cells of the store and emits what became of them, a block's worth at a time.
struct StoreSink: CellSink {
    let table: CellTable
    private var emission: Emission
    private var emitter = CellEmitter()
    /// Cells changed, and bytes of their histograms.
    private(set) var changed = (cells: 0, bytes: 0)

    init(_ table: CellTable, _ emission: Emission) {
        self.table = table
        self.emission = emission
    }

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        try table.add(sum, to: cell) { samples, devices, histograms in
            emitter.add(cell, samples: samples, devices: devices, histograms: histograms)
            changed.cells += 1
            changed.bytes += histograms.count
        }
        if emitter.isFull { try emit() }
    }

    /// Emits what is left; returns the emission.
    mutating func finish() throws -> Emission {
        if emitter.rowCount > 0 { try emit() }
        return emission
    }

    private mutating func emit() throws {
        try emission.append(to: .rollups, kind: .cell, columns: emitter.take())
    }
}
