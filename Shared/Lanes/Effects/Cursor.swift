public import GRDB
public import Models

/// Where a service is in the lanes it reads: one row a lane in its own database, moved in the transaction of the effects.
///
///     cursors(lane, generation, block)
public enum Cursor {
    /// Makes the table, if it is not there.
    public static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS cursors (
                    lane TEXT PRIMARY KEY, generation INTEGER NOT NULL, block INTEGER NOT NULL) WITHOUT ROWID
                """)
    }

    /// The last block whose effects are in the database, nil if there is none yet.
    public static func read(_ lane: LaneName, _ db: Database) throws -> Position? {
        let statement = try db.cachedStatement(sql: "SELECT generation, block FROM cursors WHERE lane = ?")
        guard let row = try Row.fetchOne(statement, arguments: [lane.rawValue]) else { return nil }
        return Position(
            lane: lane, generation: UInt64(bitPattern: row[0] as Int64), block: UInt64(bitPattern: row[1] as Int64))
    }

    /// Moves the cursor of the position's lane.
    public static func write(_ position: Position, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO cursors (lane, generation, block) VALUES (?, ?, ?)")
            .execute(arguments: [
                position.lane.rawValue, Int64(bitPattern: position.generation), Int64(bitPattern: position.block),
            ])
    }
}
