import AggregatorCells
import Foundation
package import GRDB
package import Storage
package import Wire

/// Open rows that are to be erased now: noted in `state.sqlite` before anything is touched, so that day files and cells lose
/// the same rows, once, whatever crashes in between.
///
///     erasing_rows(number, day, lane, generation, block, row_count, state, taken, raw_length, crc32, payload)
///     taken: numbers of rows, 16 bits each, little-endian
///
///     note the rows ─▶ │ take them out of the day file ─▶ out of the cells ─▶ forget the note │
///                    commit   (a transaction of the file)                                  commit
///
/// A block that has fewer rows than `row_count` has lost them already. While rows are noted no fold begins, so whether they
/// are in the cells does not change.
package struct ErasingRows {
    /// Whether rows are in the cells.
    package enum State: Int64 {
        /// They wait to be folded.
        case waiting = 0
        case folded = 1
        /// They were, until all cells were made anew without them: readers of `rollups` are still to learn it.
        case forgotten = 2
    }

    /// Begin of the local day, Unix seconds.
    var day: Int64
    var key: BlockKey
    /// Rows of the block before.
    var rowCount: Int
    package var state: State
    /// Which rows of the block, ascending.
    var taken: [Int32]
    /// Those rows.
    package var rows: Columns

    package init(day: Int64, key: BlockKey, rowCount: Int, state: State, taken: [Int32], rows: Columns) {
        self.day = day
        self.key = key
        self.rowCount = rowCount
        self.state = state
        self.taken = taken
        self.rows = rows
    }

    package func insert(_ db: Database, _ encoder: inout ColumnEncoder) throws {
        let encoded = try encoder.encode(rows)
        try db.cachedStatement(
            sql: """
                INSERT INTO erasing_rows
                    (day, lane, generation, block, row_count, state, taken, raw_length, crc32, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            day, Int64(key.lane), key.generation, key.block, rowCount, state.rawValue,
            Data(taken.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }),
            encoded.rawLength, Int64(encoded.crc32), Data(encoded.payload),
        ])
    }

    /// All that are noted; they are of one day.
    package static func all(_ db: Database, _ decoder: inout ColumnDecoder) throws -> [ErasingRows] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT day, lane, generation, block, row_count, state, taken, raw_length, crc32, payload
                FROM erasing_rows ORDER BY number
                """)
        return try rows.map { row in
            let numbers = [UInt8](row[6] as Data)
            let taken = stride(from: 0, to: numbers.count - 1, by: 2).map {
                Int32(numbers[$0]) | Int32(numbers[$0 + 1]) << 8
            }
            guard let state = State(rawValue: row[5]) else {
                throw AggregatorError.openRowsCorrupt("state \(row[5] as Int64) of rows to be erased")
            }
            return ErasingRows(
                day: row[0], key: BlockKey(lane: row[1], generation: row[2], block: row[3]), rowCount: row[4],
                state: state, taken: taken,
                rows: try decoder.decode(
                    [UInt8](row[9] as Data), rowCount: taken.count, rawLength: row[7],
                    crc32: UInt32(truncatingIfNeeded: row[8] as Int64)))
        }
    }

    /// The day of what is noted; nil if nothing is.
    package static func day(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT day FROM erasing_rows LIMIT 1")
    }

    /// Takes rows out of the file of their day, if they are still there.
    package static func takeOut(_ noted: [ErasingRows], of file: ServiceDatabase) throws {
        var decoder = ColumnDecoder()
        var encoder = ColumnEncoder()
        try file.write { db in
            for rows in noted {
                try OpenRowFile.remove(rows.taken, of: rows.key, rowCount: rows.rowCount, db, &decoder, &encoder)
            }
        }
    }

    /// Forgets what was noted.
    package static func removeAll(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE erasing_rows SET taken = zeroblob(length(taken)), payload = zeroblob(length(payload));
                DELETE FROM erasing_rows
                """)
    }

    /// All cells are made anew from the day files, which must have lost the rows.
    package static func cellsAreForgotten(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE erasing_rows SET state = ? WHERE state = ?",
            arguments: [State.forgotten.rawValue, State.folded.rawValue])
    }
}
