import Models

/// What is to become of a cell in a slice: its sum is made, it is looked up, and figures as they were and the sum are merged.
/// Keeps its memory for the next one. Confined to one thread at a time.
final class CellChange {
    private enum Kind { case unchanged, reference(CellKey), figures }

    /// Traps as long as it is the change of none.
    var cell: CellKey { key! }
    private var key: CellKey?
    private var kind = Kind.unchanged
    /// What comes to the cell.
    private(set) var sum = CellSum()
    private var before = StoredFigures()
    /// The figures, merged: rows, devices, the bytes of ``CellDevices``, ``CellHistograms`` and ``DeviceSpread``.
    private(set) var samples: Int64 = 0
    private(set) var deviceCount = 0
    private(set) var devices: [UInt8] = []
    private(set) var histograms: [UInt8] = []
    private(set) var spreads: [UInt8] = []

    /// What the cell refers to from now on; nil if it has figures.
    var source: CellKey? { if case .reference(let source) = kind { source } else { nil } }
    /// Whether the cell stays as it is.
    var isUnchanged: Bool { if case .unchanged = kind { true } else { false } }

    /// Begins with a copy of a sum.
    func begin(_ sum: CellSum, of cell: CellKey) {
        key = cell
        kind = .unchanged
        self.sum.copy(sum)
    }

    func refer(to source: CellKey) { kind = .reference(source) }

    /// The sum comes to figures, of which it takes a copy.
    func add(to figures: StoredFigures.Lent) {
        kind = .figures
        before.keep(cell, figures)
    }

    /// Bytes that it takes, about: figures before and after, and the sum.
    var byteCount: Int {
        guard case .figures = kind else { return sum.byteCount }
        return sum.byteCount + before.lend { 2 * ($0.histograms.count + $0.devices.count) }
    }
    /// Of how large a change the memory is kept for the next one: hardly a cell has more, and those that do come in any place.
    static let keptBytes = 32 << 10

    /// Memory that merging takes. Confined to one thread.
    struct Merging {
        /// Whether the devices of what was merged last are to be counted anew.
        var isUncounted: Bool { devices.isUncounted }
        fileprivate var devices = CellDevices()
        fileprivate var histograms = CellHistogramWriter()
    }

    /// Adds the sum to the figures; false if what was stored are none.
    func merge(_ merging: inout Merging) -> Bool {
        guard case .figures = kind else { return true }
        let isSound = before.lend { before in
            samples = before.samples + sum.samples
            return merging.devices.add(sum, to: before)
                && sum.entries.withUnsafeBufferPointer {
                    CellHistograms.merge(before.histograms, adding: $0, into: &merging.histograms)
                }
        }
        if isSound { keep(merging) }
        return isSound
    }

    /// Makes this what figures are without a sum, merged at once; false if they have fewer rows, or are none.
    ///
    /// - Parameter gone: those of the sum's devices that have no other row, ascending.
    func subtract(
        _ sum: CellSum, devices gone: [UInt32], from cell: CellKey, with figures: StoredFigures.Lent,
        _ merging: inout Merging
    ) -> Bool {
        key = cell
        kind = .figures
        samples = figures.samples - sum.samples
        let taken = sum.entries.map { CellHistograms.Entry(slot: $0.slot, count: -$0.count) }
        let isSound =
            samples > 0 && merging.devices.subtract(sum, gone: gone, from: figures)
            && taken.withUnsafeBufferPointer {
                CellHistograms.merge(figures.histograms, adding: $0, into: &merging.histograms)
            }
        if isSound { keep(merging) }
        return isSound
    }

    /// Makes this figures of which the devices were counted anew; false if the counts are not of all rows.
    func recount(
        _ counts: DeviceCounts, of cell: CellKey, with figures: StoredFigures.Lent, _ merging: inout Merging
    ) -> Bool {
        let rows = counts.entries.reduce(0) { $0 + ($1.isOfRows ? $1.count : 0) }
        guard rows == figures.samples, counts.areApart else { return false }
        key = cell
        kind = .figures
        samples = figures.samples
        merging.devices.replace(counts, samples: samples)
        guard
            CellHistograms.merge(
                figures.histograms, adding: UnsafeBufferPointer(start: nil, count: 0), into: &merging.histograms)
        else { return false }
        keep(merging)
        return true
    }

    /// Copies what was merged.
    private func keep(_ merging: Merging) {
        deviceCount = merging.devices.count
        devices.removeAll(keepingCapacity: true)
        devices.append(contentsOf: merging.devices.bytes)
        histograms.removeAll(keepingCapacity: true)
        merging.histograms.withBytes { histograms.append(contentsOf: $0) }
        spreads.removeAll(keepingCapacity: true)
        spreads.append(contentsOf: merging.devices.spreads)
    }
}
