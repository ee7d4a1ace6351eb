import Models

/// Adds sums to the cells of the store and gathers what became of them.
struct StoreSink: CellSink {
    let table: CellTable
    var changed = CellEmitter()

    init(_ table: CellTable) { self.table = table }

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        try table.add(sum, to: cell) { samples, devices, histograms in
            changed.add(cell, samples: samples, devices: devices, histograms: histograms)
        }
    }
}
