import GRDB
import Lanes
import Models
package import Storage

/// Open rows of blocks behind the cursors: written to day files by a step that was not committed.
///
/// The blocks come again, and their rows are written again. But an erasure may have taken rows out of them meanwhile, so that a
/// day has none any more: what stands there would count for folded as soon as the cursor is past the block, and never be.
package enum UncommittedRows {
    /// Rows are captured up to eight days before they are received: older files cannot have any.
    static let days = 12

    /// Removes them; to be called before the first block is read.
    package static func remove(_ database: ServiceDatabase, _ open: OpenRowDirectory) throws {
        let cursors = try database.read { db -> [LaneName: Position?]? in
            guard try db.tableExists("cursors") else { return nil }
            return [.realtime: try Cursor.read(.realtime, db), .batch: try Cursor.read(.batch, db)]
        }
        guard let cursors else { return }
        for day in try open.existingDays().suffix(days) {
            try open.file(day).write { db in
                for (lane, cursor) in cursors { try remove(lane, after: cursor, db) }
            }
        }
    }

    private static func remove(_ lane: LaneName, after cursor: Position?, _ db: Database) throws {
        for table in ["open_rows", "open_subjects"] {
            guard let cursor else {
                // No block of the lane was ever committed.
                try db.execute(sql: "DELETE FROM \(table) WHERE lane = ?", arguments: [Int64(lane.id)])
                continue
            }
            try db.execute(
                sql: "DELETE FROM \(table) WHERE lane = ? AND generation = ? AND block > ?",
                arguments: [
                    Int64(lane.id), Int64(bitPattern: cursor.generation), Int64(bitPattern: cursor.block),
                ])
        }
    }
}
