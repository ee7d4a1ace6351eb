import GRDB
import Wire

/// Reads the open rows of a day that a fold has still to take, as many as may be in memory at once: the first ones in the order
/// of ``FoldRange``. What is left out is read again when these are in the cells.
struct FoldReader {
    private let limit: Int
    private var decoder = ColumnDecoder()

    /// - Parameter limit: most bytes of records, unless they are all of one device at one place.
    init(limit: Int = SliceSize.passBytes) { self.limit = limit }

    /// The records of some blocks from a place on; `db` is the day's file.
    mutating func read(_ blocks: [BlockRange], from first: UInt64, _ db: Database) throws -> FoldRows {
        let total = try blocks.reduce(0) { try $0 + OpenRowFile.count($1, db) }
        var rows = FoldRows(FoldRange(first: first)), read = 0, limit = limit
        for range in blocks {
            try OpenRowFile.read(range, db, &decoder) { table in
                try rows.add(table)
                read += table.rowCount
                guard rows.byteCount > limit else { return }
                // As many passes as it takes, if what is to come is as what came.
                let whole = Double(rows.byteCount) * Double(total) / Double(read)
                let passes = max(2, Int((whole / Double(limit)).rounded(.up)))
                if !rows.narrow(parts: passes) { limit *= 2 }
            }
        }
        return rows
    }
}
