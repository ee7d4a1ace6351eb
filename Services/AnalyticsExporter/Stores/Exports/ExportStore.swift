internal import ExporterRows
internal import ExporterSupport
package import GRDB
package import Models
internal import Storage

/// SQL of what is exported. Every function runs in the caller's transaction.
///
///     exports(tenant, start, hours, …)      the files, `StoredExport`
///     export_readers(tenant, asked_at)      who fetches exports: only for them files are made
///     export_keys(id)                       the key that was announced
package enum ExportStore {
    /// That somebody has asked is noted again after an hour.
    private static let noted: UnixMilliseconds = 3_600_000

    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE exports (
                    tenant INTEGER NOT NULL, start INTEGER NOT NULL, hours INTEGER NOT NULL, version INTEGER NOT NULL,
                    rows INTEGER NOT NULL, bytes INTEGER NOT NULL, header_bytes INTEGER NOT NULL, sha256 BLOB NOT NULL,
                    key_id INTEGER NOT NULL, layout INTEGER NOT NULL, made_at INTEGER NOT NULL, stale_at INTEGER,
                    PRIMARY KEY (tenant, start, hours)) STRICT, WITHOUT ROWID;
                CREATE INDEX exports_stale ON exports (hours, start) WHERE stale_at IS NOT NULL;
                CREATE TABLE export_readers (tenant INTEGER PRIMARY KEY, asked_at INTEGER NOT NULL) STRICT;
                CREATE TABLE export_keys (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                """)
    }

    // MARK: Who reads

    /// Whether it must be noted that a tenant has asked.
    package static func isNew(_ tenant: Int64, now: UnixMilliseconds, _ db: Database) throws -> Bool {
        let asked = try Int64.fetchOne(
            db, sql: "SELECT asked_at FROM export_readers WHERE tenant = ?", arguments: [tenant])
        return asked.map { now >= $0 + noted || now < $0 } ?? true
    }

    /// Of a tenant that was removed meanwhile nothing is noted.
    package static func noteReader(_ tenant: Int64, now: UnixMilliseconds, _ db: Database) throws {
        guard try tenant == Tenant.builtIn.number || TenantStore.living(db).contains(where: { $0.number == tenant })
        else { return }
        try db.execute(
            sql: "INSERT OR REPLACE INTO export_readers (tenant, asked_at) VALUES (?, ?)", arguments: [tenant, now])
    }

    /// Numbers of the tenants for which files are made.
    static func readers(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT tenant FROM export_readers ORDER BY tenant")
    }

    // MARK: Files

    package static func find(_ span: ExportSpan, of tenant: Int64, _ db: Database) throws -> StoredExport? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(StoredExport.columns) FROM exports
                    WHERE tenant = ? AND start = ? AND hours = ? AND content = ?
                    """), arguments: [tenant, span.start, span.period.hours, span.content.number]
        ).map(StoredExport.init)
    }

    /// The hours of a day that are there, ascending.
    package static func hours(of day: ExportSpan, of tenant: Int64, _ db: Database) throws -> [StoredExport] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(StoredExport.columns) FROM exports
                WHERE tenant = ? AND hours = 1 AND content = 0 AND start BETWEEN ? AND ? ORDER BY start
                """, arguments: [tenant, day.hours.lowerBound, day.hours.upperBound - 1]
        ).map(StoredExport.init)
    }

    /// Files of a tenant, ascending by their first hour, an hour before the day that begins with it, raw rows before statistics.
    ///
    /// - Parameters:
    ///   - content: nil for both.
    ///   - period: nil for both.
    ///   - starts: first hours that are wanted.
    ///   - after: the one that they follow.
    package static func list(
        of tenant: Int64, _ content: ExportSpan.Content? = nil, _ period: ExportSpan.Period?, starts: Range<Int64>,
        after: ExportSpan?, limit: Int, _ db: Database
    ) throws -> [StoredExport] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(StoredExport.columns) FROM exports
                WHERE tenant = ?1 AND start >= ?2 AND start < ?3 AND (?4 IS NULL OR hours = ?4)
                    AND (?5 IS NULL OR (start, hours, content) > (?5, ?6, ?7)) AND (?8 IS NULL OR content = ?8)
                ORDER BY start, hours, content LIMIT ?9
                """,
            arguments: [
                tenant, starts.lowerBound, starts.upperBound, period?.hours, after?.start, after?.period.hours,
                after?.content.number, content?.number, limit,
            ]
        ).map(StoredExport.init)
    }

    /// First hours of the files that a tenant has, from an hour on.
    static func starts(
        _ content: ExportSpan.Content, _ period: ExportSpan.Period, of tenant: Int64, from first: Int64, _ db: Database
    ) throws -> Set<Int64> {
        try Int64.fetchSet(
            db.cachedStatement(
                sql: "SELECT start FROM exports WHERE tenant = ? AND start >= ? AND hours = ? AND content = ?"),
            arguments: [tenant, first, period.hours, content.number])
    }

    /// The first hour that a tenant has no file of, behind the first that it has one of; nil if it has none.
    package static func complete(of tenant: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT min(start) + 1 FROM exports e WHERE tenant = ?1 AND hours = 1 AND content = 0 AND NOT EXISTS (
                    SELECT 1 FROM exports WHERE tenant = ?1 AND start = e.start + 1 AND hours = 1 AND content = 0)
                """, arguments: [tenant])
    }

    /// The hour behind the last one that anybody has a file of raw rows of.
    static func end(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(start + hours) FROM exports WHERE content = 0") ?? 0
    }

    /// Of what has a file of its own and is right.
    private static let isOnDisk = "stale_at IS NULL AND (hours = 1 OR content = 1)"

    /// What may be given and has a file of its own.
    package static func current(_ db: Database) throws -> [StoredExport] {
        try Row.fetchAll(
            db, sql: "SELECT \(StoredExport.columns) FROM exports WHERE \(isOnDisk)"
        ).map(StoredExport.init)
    }

    /// How many there are.
    static func currentCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM exports WHERE \(isOnDisk)")!
    }

    static func staleCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM exports WHERE stale_at IS NOT NULL")!
    }

    /// Some files that have been stale since a moment or before, hours first.
    static func stale(before: UnixMilliseconds, _ db: Database) throws -> [StoredExport] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(StoredExport.columns) FROM exports WHERE stale_at IS NOT NULL AND stale_at <= ?
                ORDER BY hours, start, tenant LIMIT 100
                """, arguments: [before]
        ).map(StoredExport.init)
    }

    static func put(_ export: StoredExport, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO exports (\(StoredExport.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                export.tenant, export.span.start, export.span.period.hours, export.span.content.number,
                export.version, export.rows, export.bytes, export.headerBytes, Blob.value(export.sha256),
                Int64(export.keyID), export.layout, export.madeAt, export.staleAt, export.outdatedAt,
            ])
    }

    /// Says of everybody's files that have raw rows of some hours that they are no longer right.
    ///
    /// - Returns: whether there were any.
    static func invalidate(_ hours: ClosedRange<Int64>, now: UnixMilliseconds, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE exports SET stale_at = ?
                WHERE stale_at IS NULL AND content = 0 AND start <= ? AND start + hours > ?
                """
        ).execute(arguments: [now, hours.upperBound, hours.lowerBound])
        return db.changesCount > 0
    }

    /// Says it of a tenant's files that have an hour: its own and that of its day.
    static func invalidate(_ one: TenantHour, now: UnixMilliseconds, _ db: Database) throws -> Bool {
        try invalidate([(one.hour, 1), (Self.day(of: one), ReceivedHour.ofDay)], of: one.tenant, now: now, db)
    }

    /// Says it of the day that has an hour of a tenant.
    static func invalidate(dayOf one: TenantHour, now: UnixMilliseconds, _ db: Database) throws {
        _ = try invalidate([(Self.day(of: one), ReceivedHour.ofDay)], of: one.tenant, now: now, db)
    }

    private static func day(of one: TenantHour) -> Int64 {
        ReceivedHour.hours(ofDay: ReceivedHour.day(of: one.hour)).lowerBound
    }

    private static func invalidate(
        _ spans: [(start: Int64, hours: Int64)], of tenant: Int64, now: UnixMilliseconds, _ db: Database
    ) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE exports SET stale_at = ?
                WHERE stale_at IS NULL AND content = 0 AND tenant = ? AND start = ? AND hours = ?
                """)
        var changes = 0
        for span in spans {
            try statement.execute(arguments: [now, tenant, span.start, span.hours])
            changes += db.changesCount
        }
        return changes > 0
    }

    /// Says it of all.
    package static func invalidateAll(_ db: Database) throws {
        try db.execute(sql: "UPDATE exports SET stale_at = 0 WHERE stale_at IS NULL")
    }

    /// Says it of all that were made with other columns or another key.
    static func invalidate(
        otherThan layout: Int64, of content: ExportSpan.Content, keyID: UInt32, now: UnixMilliseconds, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE exports SET stale_at = ?1 WHERE stale_at IS NULL AND content = ?2
                    AND (layout <> ?3 OR (hours = 1 OR content = 1) AND key_id <> ?4)
                """, arguments: [now, content.number, layout, Int64(keyID)])
    }

    /// Says that a file that is in the table is not there.
    static func invalidate(_ export: StoredExport, now: UnixMilliseconds, _ db: Database) throws {
        guard export.span.content == .reports else {
            return try db.execute(
                sql: "UPDATE exports SET stale_at = ? WHERE tenant = ? AND start = ? AND hours = ? AND content = 1",
                arguments: [now, export.tenant, export.span.start, export.span.period.hours])
        }
        _ = try invalidate(TenantHour(tenant: export.tenant, hour: export.span.start), now: now, db)
    }

    // MARK: Removal

    /// Forgets the files of a day whose raw rows are gone.
    package static func remove(day: Int64, _ db: Database) throws {
        try remove(
            "content = 0 AND start BETWEEN ? AND ?", [day * ReceivedHour.ofDay, (day + 1) * ReceivedHour.ofDay - 1], db)
    }

    /// Forgets the files of a tenant, and that it has asked.
    package static func remove(of tenant: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM export_readers WHERE tenant = ?", arguments: [tenant])
        try remove("tenant = ?", [tenant], db)
    }

    /// Whether ``expire(before:statistics:asked:_:)`` would find anything.
    static func isAnyOver(
        before hour: Int64, statistics floor: Int64, asked: UnixMilliseconds, _ db: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM exports WHERE \(isOver))
                    OR EXISTS (SELECT 1 FROM export_readers WHERE asked_at < ?)
                """, arguments: [hour, floor, asked])!
    }

    /// Forgets files of raw rows of before an hour, statistics of before another one, and files of tenants who have not asked
    /// since a moment.
    static func expire(
        before hour: Int64, statistics floor: Int64, asked: UnixMilliseconds, _ db: Database
    ) throws {
        for tenant in try Int64.fetchAll(
            db, sql: "SELECT tenant FROM export_readers WHERE asked_at < ?", arguments: [asked])
        { try remove(of: tenant, db) }
        try remove(isOver, [hour, floor], db)
    }

    private static let isOver = "(content = 0 AND start < ? OR content = 1 AND start < ?)"

    private static func remove(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM exports WHERE \(condition)", arguments: arguments)
    }

    // MARK: Key

    package static func isAnnounced(key id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM export_keys WHERE id = ?)", arguments: [id])!
    }

    /// Notes that a key was announced; false if it was before.
    package static func announce(key id: String, _ db: Database) throws -> Bool {
        try db.execute(sql: "INSERT OR IGNORE INTO export_keys (id) VALUES (?)", arguments: [id])
        return db.changesCount > 0
    }
}
