import Models

/// A copy of a cell's figures as they were stored. Keeps its memory.
struct StoredFigures {
    /// Nil: of no cell.
    private(set) var cell: CellKey?
    private(set) var samples: Int64 = 0
    private(set) var devices: [UInt8] = []
    private(set) var histograms: [UInt8] = []

    mutating func forget() { cell = nil }

    mutating func keep(
        _ cell: CellKey, samples: Int64, devices: UnsafeRawBufferPointer, histograms: UnsafeRawBufferPointer
    ) {
        self.cell = cell
        self.samples = samples
        self.devices.removeAll(keepingCapacity: true)
        self.devices.append(contentsOf: devices)
        self.histograms.removeAll(keepingCapacity: true)
        self.histograms.append(contentsOf: histograms)
    }
}
