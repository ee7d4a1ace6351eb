internal import ExporterRows
internal import Foundation
package import GRDB
internal import Models

/// SQL of the files of statistics, whose cells change for days after their bucket, and may be given meanwhile.
extension ExportStore {
    /// Files of statistics, beside those of raw rows.
    package static func addContents(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE newer_exports (
                    tenant INTEGER NOT NULL, start INTEGER NOT NULL, hours INTEGER NOT NULL, content INTEGER NOT NULL,
                    version INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
                    header_bytes INTEGER NOT NULL, sha256 BLOB NOT NULL, key_id INTEGER NOT NULL,
                    layout INTEGER NOT NULL, made_at INTEGER NOT NULL, stale_at INTEGER, outdated_at INTEGER,
                    PRIMARY KEY (tenant, start, hours, content)) STRICT, WITHOUT ROWID;
                INSERT INTO newer_exports
                    SELECT tenant, start, hours, 0, version, rows, bytes, header_bytes, sha256, key_id, layout, made_at,
                        stale_at, NULL FROM exports;
                DROP TABLE exports;
                ALTER TABLE newer_exports RENAME TO exports;
                CREATE INDEX exports_stale ON exports (hours, start) WHERE stale_at IS NOT NULL;
                CREATE INDEX exports_outdated ON exports (outdated_at) WHERE outdated_at IS NOT NULL;
                """)
    }

    /// Files of statistics that nothing newer is known of, by their spans.
    static func upToDate(_ db: Database) throws -> Set<ExportSpan> {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT start, hours, content FROM exports
                WHERE content = 1 AND stale_at IS NULL AND outdated_at IS NULL
                """)
        return Set(rows.map { ExportSpan(start: $0[0], hours: $0[1], content: $0[2]) })
    }

    /// Notes that there are newer figures than everybody's files of a span have.
    static func outdate(_ span: ExportSpan, now: UnixMilliseconds, _ db: Database) throws {
        for tenant in try readers(db) {
            try db.cachedStatement(
                sql: """
                    UPDATE exports SET outdated_at = ? WHERE tenant = ? AND start = ? AND hours = ? AND content = 1
                        AND outdated_at IS NULL
                    """
            ).execute(arguments: [now, tenant, span.start, span.period.hours])
        }
    }

    /// Says of files of which there are newer figures that they must not be given any more.
    ///
    /// - Returns: whether there were any.
    static func withdrawOutdated(now: UnixMilliseconds, _ db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE exports SET stale_at = ? WHERE outdated_at IS NOT NULL AND stale_at IS NULL",
            arguments: [now])
        return db.changesCount > 0
    }

    /// The file that has been outdated for longest, since a moment or before.
    static func outdated(before: UnixMilliseconds, _ db: Database) throws -> StoredExport? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(StoredExport.columns) FROM exports WHERE outdated_at IS NOT NULL AND outdated_at <= ?
                    AND stale_at IS NULL ORDER BY outdated_at, start, hours, tenant LIMIT 1
                """, arguments: [before]
        ).map(StoredExport.init)
    }

    /// The hour of the first cells of some programmes; nil if there are none.
    static func firstHourOfCells(_ programmes: [UInt8], _ db: Database) throws -> Int64? {
        try programmes.compactMap { programme in
            try Int64.fetchOne(
                db, sql: "SELECT min(bucket_start) FROM cells WHERE programme = ? AND bucket = ?",
                arguments: [programme, CellKey.Bucket.hour.rawValue])
        }.min().map { ReceivedHour.number(of: $0 * 1_000) }
    }
}
