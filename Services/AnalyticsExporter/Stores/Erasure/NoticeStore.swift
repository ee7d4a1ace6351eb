package import GRDB
package import Models

/// SQL of erasure notices. Every function runs in the caller's transaction.
///
/// A notice grows while rows are looked for and is published when the last one is gone; from then on it stays as it is. So
/// nobody acknowledges less than what is asked for.
package enum NoticeStore {
    /// How long a notice is kept after it was acknowledged: 30 days.
    static let kept: UnixMilliseconds = 30 * 86_400_000

    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE erasure_notices (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tenant INTEGER NOT NULL, day TEXT NOT NULL,
                    device TEXT NOT NULL, rows INTEGER NOT NULL, whole INTEGER NOT NULL, captured_from INTEGER NOT NULL,
                    captured_to INTEGER NOT NULL, published_at INTEGER, acknowledged_at INTEGER, acknowledged_by TEXT)
                    STRICT;
                CREATE INDEX erasure_notices_of_tenant ON erasure_notices (tenant, id);
                CREATE INDEX erasure_notices_growing ON erasure_notices (tenant, day) WHERE published_at IS NULL;
                CREATE INDEX erasure_notices_done ON erasure_notices (acknowledged_at)
                    WHERE acknowledged_at IS NOT NULL;
                """)
    }

    /// Adds rows to the notices that grow.
    ///
    /// - Parameter newID: makes the identifier of a new one.
    package static func add(_ drafts: NoticeDrafts, newID: () -> String, _ db: Database) throws {
        for (key, draft) in drafts.drafts {
            try db.cachedStatement(
                sql: """
                    UPDATE erasure_notices SET rows = rows + ?, whole = max(whole, ?),
                        captured_from = min(captured_from, ?), captured_to = max(captured_to, ?)
                    WHERE published_at IS NULL AND tenant = ? AND day = ? AND device = ?
                    """
            ).execute(arguments: figures(draft) + place(key))
            guard db.changesCount == 0 else { continue }
            try db.cachedStatement(
                sql: """
                    INSERT INTO erasure_notices (rows, whole, captured_from, captured_to, tenant, day, device, id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: figures(draft) + place(key) + [newID()])
        }
    }

    /// Publishes those that grew.
    package static func publish(now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE erasure_notices SET published_at = ? WHERE published_at IS NULL", arguments: [now])
    }

    /// Published notices of a tenant, by identifier.
    ///
    /// - Parameters:
    ///   - after: the identifier that they follow.
    ///   - isAcknowledged: nil for all.
    package static func list(
        of tenant: Int64, after: String, isAcknowledged: Bool?, limit: Int, _ db: Database
    ) throws -> [ErasureNotice] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(ErasureNotice.columns) FROM erasure_notices
                WHERE tenant = ?1 AND id > ?2 AND published_at IS NOT NULL
                    AND (?3 IS NULL OR (acknowledged_at IS NOT NULL) = ?3)
                ORDER BY id LIMIT ?4
                """, arguments: [tenant, after, isAcknowledged, limit]
        ).map(ErasureNotice.init)
    }

    /// Notes who has done what a notice asks for; the first one counts.
    ///
    /// - Returns: nil if the tenant has no such notice.
    package static func acknowledge(
        _ id: String, of tenant: Int64, by contact: String, now: UnixMilliseconds, _ db: Database
    ) throws -> ErasureNotice? {
        let condition = "id = ? AND tenant = ? AND published_at IS NOT NULL"
        try db.execute(
            sql: """
                UPDATE erasure_notices SET acknowledged_at = ?, acknowledged_by = ?
                WHERE \(condition) AND acknowledged_at IS NULL
                """, arguments: [now, contact, id, tenant])
        return try Row.fetchOne(
            db, sql: "SELECT \(ErasureNotice.columns) FROM erasure_notices WHERE \(condition)", arguments: [id, tenant]
        ).map(ErasureNotice.init)
    }

    /// When the next acknowledged one has been kept long enough; nil if there is none.
    package static func nextExpiry(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(
            db, sql: "SELECT min(acknowledged_at) FROM erasure_notices WHERE acknowledged_at IS NOT NULL"
        ).map { $0 + kept }
    }

    /// Forgets those that were acknowledged long enough ago.
    package static func expire(now: UnixMilliseconds, _ db: Database) throws {
        try remove("acknowledged_at <= ?", [now - kept], db)
    }

    /// Forgets those of a tenant, who has no way to ask for them any more.
    package static func remove(of tenant: Int64, _ db: Database) throws {
        try remove("tenant = ?", [tenant], db)
    }

    /// Forgets one, by the number of its row.
    package static func remove(_ number: Int64, _ db: Database) throws { try remove("number = ?", [number], db) }

    /// Pseudonyms are overwritten where they stand, for SQLite leaves copies of what it moves.
    private static func remove(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        let zeros = String(repeating: "0", count: 32)
        try db.execute(
            sql: "UPDATE erasure_notices SET device = ? WHERE \(condition)", arguments: [zeros] + arguments)
        try db.execute(sql: "DELETE FROM erasure_notices WHERE \(condition)", arguments: arguments)
    }

    private static func figures(_ draft: NoticeDrafts.Draft) -> StatementArguments {
        [draft.rows, draft.isWhole, draft.captured.lowerBound, draft.captured.upperBound]
    }

    private static func place(_ key: NoticeDrafts.Key) -> StatementArguments { [key.tenant, key.day, key.device] }
}
