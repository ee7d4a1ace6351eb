public import GRDB
public import Models

/// What a database remembers of the restores it has been through: two tables, inside the caller's transaction.
///
///     restores(id, backed_up_at, restored_at)
///     restored_lanes(restore, lane, old_generation, head, generation)
public enum RestoreRecord {
    /// Whether the database was brought over by a restore.
    public static func isSettled(_ restore: String, _ db: Database) throws -> Bool {
        guard try has("restores", db) else { return false }
        return try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM restores WHERE id = ?)", arguments: [restore]) ?? false
    }

    /// When the home of the database was restored last, Unix milliseconds; nil if never.
    public static func lastRestore(_ db: Database) throws -> UnixMilliseconds? {
        guard try has("restores", db) else { return nil }
        return try UnixMilliseconds.fetchOne(db, sql: "SELECT max(restored_at) FROM restores")
    }

    /// Asks SQLite itself: GRDB remembers which tables there are, also those of a transaction that is rolled back later.
    static func has(_ table: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)",
            arguments: [table]) ?? false
    }

    static func add(_ restoration: Restoration, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS restores (
                    id TEXT PRIMARY KEY, backed_up_at INTEGER NOT NULL, restored_at INTEGER NOT NULL) STRICT;
                CREATE TABLE IF NOT EXISTS restored_lanes (
                    restore TEXT NOT NULL, lane TEXT NOT NULL, old_generation INTEGER NOT NULL, head INTEGER NOT NULL,
                    generation INTEGER NOT NULL, PRIMARY KEY (restore, lane)) STRICT, WITHOUT ROWID;
                """)
        try db.execute(
            sql: "INSERT INTO restores (id, backed_up_at, restored_at) VALUES (?, ?, ?)",
            arguments: [restoration.id, restoration.backedUpAt, restoration.restoredAt])
        for lane in restoration.lanes {
            try db.execute(
                sql: """
                    INSERT INTO restored_lanes (restore, lane, old_generation, head, generation) VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    restoration.id, lane.lane.rawValue, Int64(bitPattern: lane.oldGeneration), Int64(lane.head),
                    Int64(bitPattern: lane.generation),
                ])
        }
    }
}
