import GRDB
import Models
import Storage

/// The cells in the store: each is read, added to and written back.
///
///     cells(key BLOB, samples, device_count, devices BLOB, histograms BLOB, source BLOB)
///
/// A cell whose rows all lie in one cell inside it is a *reference*: it has nothing but the key of the smallest such cell,
/// its source. That one's rows lie in none inside it, so it has figures of its own: a reference never leads to another. As
/// long as new rows lie in the source too, nothing of a reference changes. Others move it to a larger source, or give it
/// figures: those of its source *before* these rows came, and theirs. A cell that has figures keeps them.
///
/// Confined to the thread that writes the database.
final class CellTable {
    let select: PreparedStatement
    let delete: PreparedStatement
    private let replace: PreparedStatement
    var key = [UInt8](repeating: 0, count: CellStoreKey.length)
    var sourceKey = [UInt8](repeating: 0, count: CellStoreKey.length)
    var samples: Int64 = 0
    var devices = DeviceSet()
    var histograms = CellHistogramWriter()
    /// By level, the cell that had figures and was changed last in this slice, as it was before. A reference is changed after
    /// the cells inside it; if its source was one of them, nothing else there was stored, so it is still the last.
    private var before = [StoredFigures](repeating: StoredFigures(), count: Quadkey.finestLevel + 1)
    private static let noHistograms: [UInt8] = CellHistograms().encoded()

    private enum Change { case nothing, figures, source(CellKey) }

    init(_ db: Database) throws {
        select = try PreparedStatement(db, "SELECT samples, devices, histograms, source FROM cells WHERE key = ?")
        delete = try PreparedStatement(db, "DELETE FROM cells WHERE key = ?")
        replace = try PreparedStatement(
            db,
            """
            INSERT OR REPLACE INTO cells (key, samples, device_count, devices, histograms, source)
            VALUES (?, ?, ?, ?, ?, ?)
            """)
    }

    /// Cells may have changed otherwise since the last sum: a slice begins.
    func begin() {
        for level in before.indices { before[level].forget() }
    }

    /// Adds a sum to a cell, whether it was there or not, and lends what it is now; false, and nothing is lent, if it was a
    /// reference that still holds.
    ///
    /// Sums of a slice come in the order of ``CellSink``, after ``begin()``.
    func add(_ sum: CellSum, to cell: CellKey, _ body: (CellState) -> Void) throws -> Bool {
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        switch try change(cell, adding: sum) {
        case .nothing: return false
        case .figures: try writeFigures(body)
        case .source(let source):
            try writeReference(source)
            body(.reference(source))
        }
        return true
    }

    /// What a sum makes of a cell; the figures to be written are then in ``samples``, ``devices``, ``histograms``.
    private func change(_ cell: CellKey, adding sum: CellSum) throws -> Change {
        defer { select.reset() }
        guard try find(key) else {
            let source = cell.isOfWhole ? cell : sum.source.smallest(in: cell)
            if source != cell { return .source(source) }
            try mergeWithNothing(sum, cell)
            return .figures
        }
        guard let stored = try storedSource(of: cell) else {
            keepForReferences(cell)
            try merge(sum, with: select.integer(0), select.bytes(1), select.bytes(2), cell)
            return .figures
        }
        var joined = CellSource(stored)
        joined.join(sum.source)
        let source = joined.smallest(in: cell)
        if source == stored { return .nothing }
        if source != cell { return .source(source) }
        try mergeBefore(stored, sum, cell)
        return .figures
    }

    func find(_ key: [UInt8]) throws -> Bool {
        try key.withUnsafeBytes {
            select.bind($0, 1)
            return try select.step()
        }
    }

    /// The source of the row that was found; nil if it has figures.
    func storedSource(of cell: CellKey) throws -> CellKey? {
        let bytes = select.bytes(3)
        if bytes.isEmpty { return nil }
        let source = try CellStoreKey.read(bytes)
        guard source.isInside(cell), !cell.isOfWhole else { throw AggregatorError.cellCorrupt("source of \(cell)") }
        return source
    }

    /// Copies the row that was found, which is about to change.
    private func keepForReferences(_ cell: CellKey) {
        guard let level = cell.quadkey?.level, level > Quadkey.coarsestLevel else { return }
        before[level].keep(
            cell, samples: select.integer(0), devices: select.bytes(1), histograms: select.bytes(2))
    }

    /// Adds a sum to what a reference's source was before the slice.
    private func mergeBefore(_ source: CellKey, _ sum: CellSum, _ cell: CellKey) throws {
        let level = source.quadkey?.level ?? 0
        if before[level].cell == source {
            return try before[level].devices.withUnsafeBytes { devices in
                try before[level].histograms.withUnsafeBytes {
                    try merge(sum, with: before[level].samples, devices, $0, cell)
                }
            }
        }
        select.reset()
        sourceKey.withUnsafeMutableBytes { CellStoreKey.write(source, to: $0) }
        guard try find(sourceKey), select.bytes(3).isEmpty else {
            throw AggregatorError.cellCorrupt("\(cell) refers to \(source), which has no figures")
        }
        try merge(sum, with: select.integer(0), select.bytes(1), select.bytes(2), cell)
    }

    private func mergeWithNothing(_ sum: CellSum, _ cell: CellKey) throws {
        try CellTable.noHistograms.withUnsafeBytes {
            try merge(sum, with: 0, UnsafeRawBufferPointer(start: nil, count: 0), $0, cell)
        }
    }

    private func merge(
        _ sum: CellSum, with samples: Int64, _ devices: UnsafeRawBufferPointer,
        _ histograms: UnsafeRawBufferPointer, _ cell: CellKey
    ) throws {
        self.samples = samples + sum.samples
        let isSound =
            self.devices.unite(devices, sum.devices)
            && sum.entries.withUnsafeBufferPointer {
                CellHistograms.merge(histograms, adding: $0, into: &self.histograms)
            }
        guard isSound else { throw AggregatorError.cellCorrupt("\(cell)") }
    }

    func writeFigures(_ body: (CellState) -> Void) throws {
        try key.withUnsafeBytes { key in
            try devices.bytes.withUnsafeBytes { deviceBytes in
                try histograms.withBytes { histogramBytes in
                    replace.bind(key, 1)
                    replace.bind(samples, 2)
                    replace.bind(Int64(devices.count), 3)
                    replace.bind(deviceBytes, 4)
                    replace.bind(histogramBytes, 5)
                    try replace.run()
                    body(.own(samples: samples, devices: devices.count, histograms: histogramBytes))
                }
            }
        }
    }

    private func writeReference(_ source: CellKey) throws {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        sourceKey.withUnsafeMutableBytes { CellStoreKey.write(source, to: $0) }
        try key.withUnsafeBytes { key in
            try sourceKey.withUnsafeBytes { sourceKey in
                replace.bind(key, 1)
                replace.bind(0, 2)
                replace.bind(0, 3)
                replace.bind(nothing, 4)
                replace.bind(nothing, 5)
                replace.bind(sourceKey, 6)
                try replace.run()
            }
        }
    }
}
