internal import Foundation
internal import GRDB
internal import Models

/// What a service has heard of retention orders, and how far it is: tables in its own database, inside the caller's
/// transaction.
///
///     retention_work(key, order_id, document, parts, state, report)   the newest order of each sort
///     retention_counts(kind, removed, bytes, oldest)                   of the real run that is not reported yet
struct RetentionStore {
    enum State: Int {
        /// There may be something to remove, or to count.
        case open = 0
        /// Nothing is left; journals and logs may still have it.
        case removed = 1
        case reported = 2
    }

    /// An order and how far it is here.
    struct Work {
        let order: RetentionOrderDocument
        let parts: [String: RetentionFigures]
        let state: State
    }

    private let db: Database

    init(_ db: Database) { self.db = db }

    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS retention_work (
                    key TEXT PRIMARY KEY, order_id TEXT NOT NULL, document TEXT NOT NULL, parts TEXT NOT NULL,
                    state INTEGER NOT NULL, report TEXT) STRICT, WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS retention_counts (
                    kind TEXT PRIMARY KEY, removed INTEGER NOT NULL, bytes INTEGER NOT NULL, oldest INTEGER)
                    STRICT, WITHOUT ROWID;
                """)
    }

    /// Takes an order in the place of the one before of its sort; false if it is the same. What was removed for one that is
    /// not reported yet counts for the new one.
    func add(_ order: RetentionOrderDocument, parts: [String: RetentionFigures]) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO retention_work (key, order_id, document, parts, state) VALUES (?, ?, ?, ?, 0)
                ON CONFLICT (key) DO UPDATE SET order_id = excluded.order_id, document = excluded.document,
                    parts = excluded.parts, state = 0, report = NULL WHERE excluded.order_id <> order_id
                """,
            arguments: [
                order.key, order.order, try SortedJSON.text(of: order), try SortedJSON.text(of: parts),
            ])
        return db.changesCount > 0
    }

    /// The order that is to be executed; a real one goes before a dry run.
    func next() throws -> Work? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT document, parts, state FROM retention_work WHERE state < 2 ORDER BY key DESC LIMIT 1"))
        return try row.map { row in
            Work(
                order: try Self.read(row[0]), parts: try Self.read(row[1]), state: State(rawValue: row[2]) ?? .open)
        }
    }

    func count(_ figures: RetentionFigures, of kind: RetentionKind) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO retention_counts (kind, removed, bytes) VALUES (?, ?, ?) ON CONFLICT (kind)
                DO UPDATE SET removed = removed + excluded.removed, bytes = bytes + excluded.bytes
                """
        ).execute(arguments: [kind.rawValue, figures.removed, figures.bytes])
    }

    /// Notes the oldest that is left of a kind.
    func note(oldest: UnixMilliseconds?, of kind: RetentionKind) throws {
        try count(RetentionFigures(), of: kind)
        try db.cachedStatement(sql: "UPDATE retention_counts SET oldest = ? WHERE kind = ?")
            .execute(arguments: [oldest, kind.rawValue])
    }

    /// What was removed since the last report, by the kind's name.
    func counts() throws -> [String: RetentionFigures] {
        let rows = try Row.fetchAll(db, sql: "SELECT kind, removed, bytes, oldest FROM retention_counts")
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (row[0], RetentionFigures(removed: row[1], bytes: row[2], oldest: row[3]))
            })
    }

    func setRemoved(_ order: RetentionOrderDocument) throws {
        try db.execute(sql: "UPDATE retention_work SET state = 1 WHERE key = ?", arguments: [order.key])
    }

    func setReported(_ report: RetentionReportDocument, of order: RetentionOrderDocument) throws {
        try db.execute(
            sql: "UPDATE retention_work SET state = 2, report = ? WHERE key = ?",
            arguments: [try SortedJSON.text(of: report), order.key])
        if !order.isDryRun { try db.execute(sql: "DELETE FROM retention_counts") }
    }

    /// Orders that are executed here, with what was reported of them.
    func reported() throws -> [RetentionOutcome] {
        try Row.fetchAll(db, sql: "SELECT document, report FROM retention_work WHERE state = 2 ORDER BY key").map {
            RetentionOutcome(order: try Self.read($0[0]), report: try Self.read($0[1]))
        }
    }

    private static func read<Document: Decodable>(_ text: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    }
}
