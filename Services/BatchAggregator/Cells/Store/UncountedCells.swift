import Foundation
package import GRDB
package import Models

/// Cells that lost so many devices to an erasure that the samples of each device are to be known again: `uncounted_cells(key, day)`.
///
/// Their devices are counted anew from the open rows of the day. While there are any, no fold begins. Such cells are rare: more are
/// kept apart (``DeviceCounts/mostKept``) than are published, and only the difference, erased from one cell, makes it one.
package enum UncountedCells {
    static let schema = "CREATE TABLE uncounted_cells (key BLOB PRIMARY KEY, day INTEGER NOT NULL) WITHOUT ROWID"

    package static func note(_ cell: CellKey, day: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO uncounted_cells (key, day) VALUES (?, ?)").execute(
            arguments: [
                Data(cell.bytes), day,
            ])
    }

    /// The begin of the day whose rows tell them; nil if there are none.
    package static func day(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT day FROM uncounted_cells LIMIT 1")
    }

    package static func some(_ limit: Int, _ db: Database) throws -> [CellKey] {
        try Data.fetchAll(db, sql: "SELECT key FROM uncounted_cells ORDER BY key LIMIT ?", arguments: [limit]).map {
            guard let key = CellKey(bytes: $0) else { throw AggregatorError.cellCorrupt("a key to be counted anew") }
            return key
        }
    }

    package static func forget(_ cell: CellKey, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM uncounted_cells WHERE key = ?").execute(arguments: [Data(cell.bytes)])
    }
}
