import AggregatorCells
import Foundation
package import GRDB
import Models
import Storage
package import Wire

/// Which devices have rows in which blocks of a day.
extension OpenRowFile {
    /// The devices of open rows, as ``DeviceSet``; those that no cell can hold are left out, folding names them.
    package static func subjects(of rows: Columns) -> [UInt8] {
        guard let column = rows[OpenRowColumn.device] else { return [] }
        let devices = column.integers.compactMap(UInt32.init(exactly:)).sorted()
        var distinct: [UInt32] = []
        distinct.reserveCapacity(devices.count)
        for device in devices where device != distinct.last { distinct.append(device) }
        return DeviceSet.encoded(distinct)
    }

    /// Records the devices of a block.
    package static func setSubjects(_ subjects: [UInt8], of key: BlockKey, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO open_subjects (lane, generation, block, subjects) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [Int64(key.lane), key.generation, key.block, Data(subjects)])
    }

    /// Goes through the blocks after one, in order, with their devices, until `body` says no; empty bytes: nobody knows.
    ///
    /// - Returns: the last block that `body` was given; nil if there was none.
    package static func forEachBlock(
        after: BlockKey, limit: Int, _ db: Database, _ body: (BlockKey, UnsafeRawBufferPointer) throws -> Bool
    ) throws -> BlockKey? {
        let select = try PreparedStatement(
            db,
            """
            SELECT r.lane, r.generation, r.block, s.subjects FROM open_rows r
            LEFT JOIN open_subjects s ON s.lane = r.lane AND s.generation = r.generation AND s.block = r.block
            WHERE (r.lane, r.generation, r.block) > (?, ?, ?) ORDER BY r.lane, r.generation, r.block LIMIT ?
            """)
        after.bind(to: select)
        select.bind(Int64(limit), 4)
        var last: BlockKey?
        while try select.step() {
            let key = BlockKey(
                lane: UInt8(truncatingIfNeeded: select.integer(0)), generation: select.integer(1),
                block: select.integer(2))
            last = key
            guard try body(key, select.bytes(3)) else { break }
        }
        return last
    }

    /// The rows of a block; nil if it is not there.
    package static func rows(of key: BlockKey, _ db: Database, _ decoder: inout ColumnDecoder) throws -> Columns? {
        let range = BlockRange(
            lane: key.lane, generation: key.generation, after: key.block - 1, through: key.block)
        var rows: Columns?
        try read(range, db) { rows = try decoder.decode($0) }
        return rows
    }

    /// Takes rows out of a block, unless it has been done: then the block has fewer rows than it had.
    ///
    /// What is on disk is overwritten where it stands and then shortened, because SQLite zeroes what it frees but not what
    /// it moves.
    static func remove(
        _ taken: [Int32], of key: BlockKey, rowCount: Int, _ db: Database, _ decoder: inout ColumnDecoder,
        _ encoder: inout ColumnEncoder
    ) throws {
        guard let rows = try rows(of: key, db, &decoder), rows.rowCount == rowCount else { return }
        let goes = Set(taken)
        let kept = rows.gathered((0..<Int32(rowCount)).filter { !goes.contains($0) })
        try overwrite(key, db)
        guard kept.rowCount > 0 else { return try delete(key, db) }
        let block = OpenRowBlock(key: key, rows: try encoder.encode(kept), subjects: subjects(of: kept))
        try write([block], db)
    }

    private static func overwrite(_ key: BlockKey, _ db: Database) throws {
        for (table, column) in [("open_rows", "payload"), ("open_subjects", "subjects")] {
            try db.cachedStatement(
                sql: """
                    UPDATE \(table) SET \(column) = zeroblob(length(\(column)))
                    WHERE lane = ? AND generation = ? AND block = ?
                    """
            ).execute(arguments: [Int64(key.lane), key.generation, key.block])
        }
    }

    private static func delete(_ key: BlockKey, _ db: Database) throws {
        for table in ["open_rows", "open_subjects"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE lane = ? AND generation = ? AND block = ?")
                .execute(arguments: [Int64(key.lane), key.generation, key.block])
        }
    }
}
