internal import GRDB
internal import Lanes
internal import Models

/// Restores of which the audit log is to tell: what came after the backup is missing in it, and nothing else would show that.
///
///     untold_restores(id, backed_up_at, restored_at)
///
/// Every function runs in the caller's transaction.
enum RestoreNotes {
    /// Notes one, when the database is brought over.
    static func note(_ restoration: Restoration, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS untold_restores (
                    id TEXT PRIMARY KEY, backed_up_at INTEGER NOT NULL, restored_at INTEGER NOT NULL) STRICT
                """)
        try db.execute(
            sql: "INSERT INTO untold_restores (id, backed_up_at, restored_at) VALUES (?, ?, ?)",
            arguments: [restoration.id, restoration.backedUpAt, restoration.restoredAt])
    }

    static func areWaiting(_ db: Database) throws -> Bool {
        guard try db.tableExists("untold_restores") else { return false }
        return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM untold_restores)") ?? false
    }

    /// Writes an entry for each of them.
    static func tell(_ audit: inout AuditWriter, _ db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, backed_up_at, restored_at FROM untold_restores ORDER BY restored_at")
        for row in rows {
            let detail = [
                "restore": row[0] as String, "backed_up_at_ms": "\(row[1] as Int64)",
                "restored_at_ms": "\(row[2] as Int64)",
            ]
            try audit.append(
                actor: "privacy-worker", action: "home.restored", subject: [], detail: SortedJSON.text(of: detail))
        }
        try db.execute(sql: "DELETE FROM untold_restores")
    }
}
