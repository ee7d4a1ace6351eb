import GRDB
import Lanes
import Models
import Storage
import Wire

/// Folds open rows into cells, a slice at a time. Confined to the thread that writes the database.
final class Folder {
    private let open: OpenRowDirectory
    private var table: CellTable?
    /// The rows of the day that is being folded, spread over its parts; read again after a restart.
    private var rows: (day: Int64, rows: FoldRows)?
    private var slice = RowSlice()
    private var pyramid = CellPyramid()
    private var decoder = ColumnDecoder()
    private var size = SliceSize()

    init(_ open: OpenRowDirectory) { self.open = open }

    /// Most blocks of a lane that a fold takes now.
    var blocks: Int { size.blocks }

    /// Learns how large the blocks are that come.
    func learn(rows: Int, blocks: Int) { size.learn(rows: rows, blocks: blocks) }

    /// Begins a fold of what waits; returns its slices.
    func begin(_ db: Database) throws -> [FoldSlice] {
        try FoldLedger.begin(db, blocks: size.blocks) { day, ranges in
            let rows = try open.file(day).read { db in
                try ranges.reduce(0) { try $0 + OpenRowFile.count($1, db) }
            }
            return size.parts(day: day, rows: rows)
        }
        return try FoldLedger.slices(db)
    }

    /// Adds a slice's rows to the cells and emits the cells that changed; returns what became of how many.
    ///
    /// - Parameter sealed: buckets that begin before take no rows any more.
    func fold(_ slice: FoldSlice, sealed: Int64, _ db: Database, _ emit: inout Emission) throws -> FoldedCells {
        try load(slice, FoldLedger.folding(db))
        let table = try self.table ?? CellTable(db)
        self.table = table
        var sink = StoreSink(table, emit, sealed: sealed)
        try pyramid.add(self.slice, day: slice.day, to: &sink)
        emit = try sink.finish()
        size.learn(
            day: slice.day, rows: self.slice.rowCount, cells: sink.folded.count, bytes: sink.folded.bytes)
        try FoldLedger.finish(slice, db)
        return sink.folded
    }

    /// Groups the rows of a slice; slices of a day come one after another, so each row is read once.
    private func load(_ slice: FoldSlice, _ ranges: [BlockRange]) throws {
        if rows?.day != slice.day || slice.part == 0 {
            rows = nil
            rows = (slice.day, try read(slice, ranges))
        }
        self.slice.load(rows!.rows, part: slice.part)
        rows!.rows.drop(slice.part)
        if slice.part == slice.parts - 1 { rows = nil }
    }

    private func read(_ slice: FoldSlice, _ ranges: [BlockRange]) throws -> FoldRows {
        var rows = FoldRows(parts: slice.parts)
        try open.file(slice.day).read { db in
            for range in ranges {
                try OpenRowFile.read(range, db, &decoder) { try rows.add($0) }
            }
        }
        rows.cut(byPlace: slice.isByPlace)
        return rows
    }
}
