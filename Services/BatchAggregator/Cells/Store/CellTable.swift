package import GRDB
import Models
import Storage

/// The cells in the store: each is looked up, added to (``CellChange``) and written back.
///
///     cells(key BLOB, samples, device_count, devices BLOB, histograms BLOB, source BLOB)
///
/// A cell whose rows all lie in one cell inside it is a *reference*: it has nothing but the key of the smallest such cell,
/// its source. That one's rows lie in none inside it, so it has figures of its own: a reference never leads to another. As
/// long as new rows lie in the source too, nothing of a reference changes. Others move it to a larger source, or give it
/// figures: those of its source *before* these rows came, and theirs. A cell that has figures keeps them.
///
/// Confined to the thread that writes the database.
package final class CellTable {
    let select: PreparedStatement
    let delete: PreparedStatement
    private let replace: PreparedStatement
    var key = [UInt8](repeating: 0, count: CellStoreKey.length)
    var sourceKey = [UInt8](repeating: 0, count: CellStoreKey.length)
    /// What is left of a cell that loses rows.
    let remainder = CellChange()
    var merging = CellChange.Merging()
    private static let nothing = StoredFigures()
    /// By level, the cell that had figures and was changed last in this slice, as it was before. A reference is changed after
    /// the cells inside it; if its source was one of them, nothing else there was stored, so it is still the last.
    private var before = [StoredFigures](repeating: StoredFigures(), count: Quadkey.deepestLevel + 1)

    package init(_ db: Database) throws {
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

    /// Finds what becomes of a cell by the sum of a change, whether it was there or not; false if it is a reference that still
    /// holds. The change is to be merged, if it is of figures, and written in this slice; others may be looked up and written in between.
    ///
    /// Sums of a slice come in the order of ``CellSink``, after ``begin()``.
    func look(_ change: CellChange) throws -> Bool {
        let cell = change.cell
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        defer { select.reset() }
        guard try find(key) else {
            let source = cell.isOfWhole ? cell : change.sum.source.smallest(in: cell)
            if source != cell { change.refer(to: source) } else { CellTable.nothing.lend { change.add(to: $0) } }
            return true
        }
        guard let stored = try storedSource(of: cell) else {
            keepForReferences(cell)
            change.add(to: figures)
            return true
        }
        var joined = CellSource(stored)
        joined.join(change.sum.source)
        let source = joined.smallest(in: cell)
        if source == stored { return false }
        if source != cell { change.refer(to: source) } else { try lendBefore(stored, cell) { change.add(to: $0) } }
        return true
    }

    /// Those of the row that was found.
    var figures: StoredFigures.Lent {
        .init(samples: select.integer(0), devices: select.bytes(1), histograms: select.bytes(2))
    }

    /// Writes a change, merged, and lends what the cell is now.
    func write(_ change: CellChange, _ body: (CellState) throws -> Void) throws {
        key.withUnsafeMutableBytes { CellStoreKey.write(change.cell, to: $0) }
        if let source = change.source {
            try writeReference(source)
            return try body(.reference(source))
        }
        try key.withUnsafeBytes { key in
            try change.devices.withUnsafeBytes { devices in
                try change.histograms.withUnsafeBytes { histograms in
                    replace.bind(key, 1)
                    replace.bind(change.samples, 2)
                    replace.bind(Int64(change.deviceCount), 3)
                    replace.bind(devices, 4)
                    replace.bind(histograms, 5)
                    try replace.run()
                    try change.spreads.withUnsafeBytes {
                        try body(
                            .own(
                                samples: change.samples, devices: change.deviceCount, histograms: histograms,
                                spreads: $0))
                    }
                }
            }
        }
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
        before[level].keep(cell, figures)
    }

    /// Lends what a reference's source was before the slice.
    private func lendBefore(_ source: CellKey, _ cell: CellKey, _ body: (StoredFigures.Lent) -> Void) throws {
        let level = source.quadkey?.level ?? 0
        if before[level].cell == source { return before[level].lend(body) }
        select.reset()
        sourceKey.withUnsafeMutableBytes { CellStoreKey.write(source, to: $0) }
        guard try find(sourceKey), select.bytes(3).isEmpty else {
            throw AggregatorError.cellCorrupt("\(cell) refers to \(source), which has no figures")
        }
        body(figures)
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
