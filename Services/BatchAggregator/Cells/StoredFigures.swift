import Models

/// A copy of a cell's figures as they were stored. Keeps its memory.
package struct StoredFigures {
    /// Figures as they lie elsewhere; as long as those do.
    package struct Lent {
        var samples: Int64
        /// As ``CellDevices`` draws them.
        var devices: UnsafeRawBufferPointer
        var histograms: UnsafeRawBufferPointer

        package init(samples: Int64, devices: UnsafeRawBufferPointer, histograms: UnsafeRawBufferPointer) {
            self.samples = samples
            self.devices = devices
            self.histograms = histograms
        }
    }

    /// Nil: of no cell.
    private(set) var cell: CellKey?
    private var samples: Int64 = 0
    private var devices: [UInt8] = []
    private var histograms: [UInt8] = CellHistograms().encoded()

    mutating func forget() { cell = nil }

    mutating func keep(_ cell: CellKey, _ figures: Lent) {
        self.cell = cell
        samples = figures.samples
        devices.removeAll(keepingCapacity: true)
        devices.append(contentsOf: figures.devices)
        histograms.removeAll(keepingCapacity: true)
        histograms.append(contentsOf: figures.histograms)
    }

    func lend<Result>(_ body: (Lent) throws -> Result) rethrows -> Result {
        try devices.withUnsafeBytes { devices in
            try histograms.withUnsafeBytes {
                try body(Lent(samples: samples, devices: devices, histograms: $0))
            }
        }
    }
}
