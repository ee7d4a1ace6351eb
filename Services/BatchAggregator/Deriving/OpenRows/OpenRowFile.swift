package import GRDB
import Models
package import Storage
package import Wire

/// The open rows of one local day, a block a row: `open/<yyyy-mm-dd>.sqlite`.
///
///     open_rows(lane, generation, block, row_count, raw_length, crc32, payload)
///     open_subjects(lane, generation, block, subjects)   the devices of a block's rows; none of blocks that an older
///                                                        program wrote, until somebody asks for them
///
/// The payload is a table of ``OpenRowColumn`` as `Wire` encodes it, the devices are a ``DeviceSet``: a table of their own, so
/// that a device is looked for without walking through payloads.
package enum OpenRowFile {
    /// Writes the rows of blocks; blocks that are there are replaced by themselves.
    package static func write(_ blocks: [OpenRowBlock], to database: ServiceDatabase) throws {
        try database.write { db in try write(blocks, db) }
    }

    /// The same inside the caller's transaction.
    static func write(_ blocks: [OpenRowBlock], _ db: Database) throws {
        let insert = try PreparedStatement(
            db,
            """
            INSERT INTO open_rows (lane, generation, block, row_count, raw_length, crc32, payload)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (lane, generation, block) DO UPDATE SET row_count = excluded.row_count,
                raw_length = excluded.raw_length, crc32 = excluded.crc32, payload = excluded.payload
            """)
        for block in blocks {
            block.key.bind(to: insert)
            insert.bind(Int64(block.rows.rowCount), 4)
            insert.bind(Int64(block.rows.rawLength), 5)
            insert.bind(Int64(block.rows.crc32), 6)
            try block.rows.payload.withUnsafeBytes { payload in
                insert.bind(payload, 7)
                try insert.run()
            }
            try setSubjects(block.subjects, of: block.key, db)
        }
    }

    /// Reads what is stored of a range of blocks, block by block.
    package static func read(_ range: BlockRange, _ db: Database, _ body: (EncodedColumns) throws -> Void) throws {
        let select = try PreparedStatement(
            db,
            """
            SELECT row_count, raw_length, crc32, payload FROM open_rows
            WHERE lane = ? AND generation = ? AND block > ? AND block <= ? ORDER BY block
            """)
        select.bind(Int64(range.lane), 1)
        select.bind(range.generation, 2)
        select.bind(range.after, 3)
        select.bind(range.through, 4)
        while try select.step() {
            try body(
                EncodedColumns(
                    payload: Array(select.bytes(3)), rawLength: Int(select.integer(1)),
                    crc32: UInt32(truncatingIfNeeded: select.integer(2)), rowCount: Int(select.integer(0))))
        }
    }

    /// All rows, and bytes of their payloads.
    package static func size(_ db: Database) throws -> (rows: Int, bytes: Int) {
        let row = try Row.fetchOne(
            db, sql: "SELECT coalesce(sum(row_count), 0), coalesce(sum(length(payload)), 0) FROM open_rows")
        return row.map { ($0[0], $0[1]) } ?? (0, 0)
    }

    /// Rows of a range of blocks.
    package static func count(_ range: BlockRange, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT coalesce(sum(row_count), 0) FROM open_rows
                WHERE lane = ? AND generation = ? AND block > ? AND block <= ?
                """, arguments: [Int64(range.lane), range.generation, range.after, range.through]) ?? 0
    }
}

/// The open rows of one local day that came with one block.
package struct OpenRowBlock {
    var key: BlockKey
    package var rows: EncodedColumns
    /// The devices of the rows, as ``DeviceSet``.
    var subjects: [UInt8]
}
