import Models

/// What is to become of a cell in a slice: a reference, or figures as they were with what comes to them or goes, once that is merged.
/// Keeps its memory for the next one. Confined to one thread at a time.
final class CellChange {
    /// Traps as long as it is the change of none.
    var cell: CellKey { key! }
    private var key: CellKey?
    /// What the cell refers to from now on; nil if it has figures.
    private(set) var source: CellKey?
    private var before = StoredFigures()
    private var sum = CellSum()
    /// The figures, merged: rows, devices, the bytes of ``DeviceSet`` and of ``CellHistograms``.
    private(set) var samples: Int64 = 0
    private(set) var deviceCount = 0
    private(set) var devices: [UInt8] = []
    private(set) var histograms: [UInt8] = []

    func refer(_ cell: CellKey, to source: CellKey) {
        key = cell
        self.source = source
    }

    /// Takes copies of both.
    func add(_ sum: CellSum, to cell: CellKey, with figures: StoredFigures.Lent) {
        key = cell
        source = nil
        before.keep(cell, figures)
        self.sum.copy(sum)
    }

    /// Bytes that it takes, about: figures before and after, and the sum.
    var byteCount: Int {
        source != nil
            ? 0
            : before.lend { 2 * ($0.histograms.count + $0.devices.count) } + 16 * sum.entries.count
                + 4 * sum.devices.count
    }
    /// Of how large a change the memory is kept for the next one: hardly a cell has more, and those that do come in any place.
    static let keptBytes = 32 << 10

    /// Memory that merging takes. Confined to one thread.
    struct Merging {
        fileprivate var devices = DeviceSet()
        fileprivate var histograms = CellHistogramWriter()
    }

    /// Adds the sum to the figures; false if what was stored are none.
    func merge(_ merging: inout Merging) -> Bool {
        if source != nil { return true }
        let isSound = before.lend { before in
            samples = before.samples + sum.samples
            return merging.devices.unite(before.devices, sum.devices)
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
        source = nil
        samples = figures.samples - sum.samples
        let taken = sum.entries.map { CellHistograms.Entry(slot: $0.slot, count: -$0.count) }
        let isSound =
            samples > 0 && merging.devices.subtract(figures.devices, gone)
            && taken.withUnsafeBufferPointer {
                CellHistograms.merge(figures.histograms, adding: $0, into: &merging.histograms)
            }
        if isSound { keep(merging) }
        return isSound
    }

    /// Copies what was merged.
    private func keep(_ merging: Merging) {
        deviceCount = merging.devices.count
        devices.removeAll(keepingCapacity: true)
        devices.append(contentsOf: merging.devices.bytes)
        histograms.removeAll(keepingCapacity: true)
        merging.histograms.withBytes { histograms.append(contentsOf: $0) }
    }
}
