import GRDB
import Lanes
import Models
import Storage
import Wire

/// Folds open rows into cells, a slice at a time. Confined to the thread that writes the database.
final class Folder {
    private let open: OpenRowDirectory
    private var table: CellTable?
    private var rows = RowSlice()
    private var pyramid = CellPyramid()
    private var decoder = ColumnDecoder()
    private var size = SliceSize()

    init(_ open: OpenRowDirectory) { self.open = open }

    /// Begins a fold of what waits; returns its slices.
    func begin(_ db: Database) throws -> [FoldSlice] {
        try FoldLedger.begin(db, blocks: SliceSize.blocks) { day, ranges in
            let rows = try open.file(day).read { db in
                try ranges.reduce(0) { try $0 + OpenRowFile.count($1, db) }
            }
            return size.parts(day: day, rows: rows)
        }
        return try FoldLedger.slices(db)
    }

    /// Adds a slice's rows to the cells and emits the cells that changed; returns how many.
    func fold(_ slice: FoldSlice, _ db: Database, _ emit: inout Emission) throws -> Int {
        try load(slice, FoldLedger.folding(db))
        let table = try self.table ?? CellTable(db)
        self.table = table
        var sink = StoreSink(table)
        try pyramid.add(rows, day: slice.day, to: &sink)
        let changed = sink.changed.rowCount
        size.learn(day: slice.day, rows: rows.rowCount, cells: changed)
        if changed > 0 { emit.append(to: .rollups, kind: .cell, columns: sink.changed.take()) }
        try FoldLedger.finish(slice, db)
        return changed
    }

    private func load(_ slice: FoldSlice, _ ranges: [BlockRange]) throws {
        rows.begin(part: slice.part, of: slice.parts)
        try open.file(slice.day).read { db in
            for range in ranges {
                try OpenRowFile.read(range, db, &decoder) { try rows.add($0) }
            }
        }
        rows.group()
    }
}
