import Foundation
import GRDB
import Models
import Storage

/// Cells from which rows were taken and whose older figures are still on `rollups`: `erasing_cells(key, through)`.
///
/// Every such cell is published anew when it loses rows. Its rows in blocks up to `through`, the head of the lane before that,
/// are superseded.
struct ErasingCells {
    /// Keys that are forgotten in one slice.
    static let slice = 20_000
    private let insert: PreparedStatement
    private let through: Int64

    /// - Parameter head: of `rollups`.
    init(_ db: Database, head: UInt64) throws {
        insert = try PreparedStatement(db, "INSERT OR REPLACE INTO erasing_cells (key, through) VALUES (?, ?)")
        through = Int64(head)
    }

    func note(_ cell: CellKey) throws {
        try cell.withBytes { key in
            insert.bind(key, 1)
            insert.bind(through, 2)
            try insert.run()
        }
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM erasing_cells") ?? 0
    }

    /// Forgets some; false if there are none left.
    static func removeSome(_ db: Database) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM erasing_cells WHERE key IN (SELECT key FROM erasing_cells LIMIT ?)", arguments: [slice])
        return db.changesCount == slice
    }
}
