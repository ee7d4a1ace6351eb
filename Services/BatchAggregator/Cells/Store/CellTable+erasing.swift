package import Models
import Storage

/// Cells lose rows.
///
/// A cell with figures keeps them until its last row goes. A reference has the rows of its source, no more and no less, so
/// it loses the same ones: it stays as it is, and goes with its source. Whatever lies between the two has the same rows
/// again and refers to the same source, or has figures; so rows that come later find everything as ``CellTable`` says. Only
/// that a source is the *smallest* cell with the rows may cease to be true, and nothing needs it.
extension CellTable {
    /// Takes a sum out of a cell and lends what is left; a cell that has lost its last row goes.
    ///
    /// Sums of a slice come in the order of ``CellSink``.
    ///
    /// - Parameter devices: ascending; those of the sum that have no other row in the cell.
    /// - Returns: whether the devices of the cell are to be counted anew (``UncountedCells``).
    package func subtract(
        _ sum: CellSum, devices: [UInt32], from cell: CellKey, _ body: (CellState) -> Void
    ) throws -> Bool {
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        switch try takeRows(sum, devices, from: cell) {
        case .figures:
            try write(remainder, body)
            return merging.isUncounted
        case .reference(let source): body(.reference(source))
        case .nothing:
            try key.withUnsafeBytes { bytes in
                delete.bind(bytes, 1)
                try delete.run()
            }
            body(.gone)
        }
        return false
    }

    /// Gives a cell devices that were counted anew, and lends what it is then; not if it is a reference or not there any more, nor
    /// if the counts are not of all its rows.
    package func recount(_ counts: DeviceCounts, of cell: CellKey, _ body: (CellState) -> Void) throws {
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        do {
            defer { select.reset() }
            guard try find(key), try storedSource(of: cell) == nil,
                remainder.recount(counts, of: cell, with: figures, &merging)
            else { return }
        }
        try write(remainder, body)
    }

    /// The devices of a cell that has figures, ascending.
    package func devices(of cell: CellKey) throws -> [UInt32] {
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        defer { select.reset() }
        guard try find(key), try storedSource(of: cell) == nil else { return [] }
        guard let devices = CellDevices.ordinals(figures) else { throw AggregatorError.cellCorrupt("\(cell)") }
        return devices
    }

    /// Lends what a cell is.
    package func lend(_ cell: CellKey, _ body: (CellState) -> Void) throws {
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        defer { select.reset() }
        guard try find(key) else { return body(.gone) }
        if let source = try storedSource(of: cell) { return body(.reference(source)) }
        var devices = CellDevices()
        guard devices.read(figures) else { throw AggregatorError.cellCorrupt("\(cell)") }
        devices.spreads.withUnsafeBytes {
            body(.own(samples: select.integer(0), devices: devices.count, histograms: select.bytes(2), spreads: $0))
        }
    }

    private enum Left { case nothing, figures, reference(CellKey) }

    /// What is left of a cell; its figures are then in ``remainder``.
    private func takeRows(_ sum: CellSum, _ gone: [UInt32], from cell: CellKey) throws -> Left {
        defer { select.reset() }
        guard try find(key) else { throw AggregatorError.cellCorrupt("\(cell) is not there and has rows") }
        if let source = try storedSource(of: cell) {
            return try outlives(source, sum, cell) ? .reference(source) : .nothing
        }
        if select.integer(0) == sum.samples { return .nothing }
        guard remainder.subtract(sum, devices: gone, from: cell, with: figures, &merging) else {
            throw AggregatorError.cellCorrupt("\(cell) has fewer rows than are to be taken from it")
        }
        return .figures
    }

    /// Whether the source of a cell still has rows when the sum is taken from both.
    private func outlives(_ source: CellKey, _ sum: CellSum, _ cell: CellKey) throws -> Bool {
        select.reset()
        sourceKey.withUnsafeMutableBytes { CellStoreKey.write(source, to: $0) }
        let isThere = try find(sourceKey)
        // One of the same size of buckets comes before the cell, so it has lost its rows already.
        if source.bucket == cell.bucket { return isThere }
        guard isThere, select.bytes(3).isEmpty, select.integer(0) >= sum.samples else {
            throw AggregatorError.cellCorrupt("\(cell) refers to \(source), which does not have its rows")
        }
        return select.integer(0) > sum.samples
    }
}
