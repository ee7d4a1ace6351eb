internal import Foundation
internal import GRDB
internal import Models

/// The SQL of retention orders and of what services reported, inside the caller's transaction.
struct RetentionOrders {
    /// Orders that are kept, dry runs included.
    static let most = 400
    /// After so long an order that somebody has not executed is late.
    static let patience: UnixMilliseconds = 24 * 3_600_000

    /// - `retention_orders`: the last ``most`` of them. `completed_at` is when the last of those who keep something reported.
    /// - `retention_reports`: what they reported.
    /// - `retention_begin`: since when there is a schedule.
    static let schema = """
        CREATE TABLE retention_orders (
            id TEXT PRIMARY KEY, issued_at INTEGER NOT NULL, is_dry_run INTEGER NOT NULL, is_scheduled INTEGER NOT NULL,
            completed_at INTEGER, is_late INTEGER NOT NULL DEFAULT 0, document TEXT NOT NULL) STRICT;
        CREATE INDEX retention_orders_by_time ON retention_orders (issued_at);
        CREATE TABLE retention_reports (
            order_id TEXT NOT NULL, service TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (order_id, service)) STRICT,
            WITHOUT ROWID;
        CREATE TABLE retention_begin (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
        """

    let db: Database

    init(_ db: Database) { self.db = db }

    /// Keeps an order, and no more than ``most``.
    func add(_ order: RetentionOrderDocument) throws {
        try db.execute(
            sql: """
                INSERT INTO retention_orders (id, issued_at, is_dry_run, is_scheduled, document) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                order.order, order.issuedAt, order.isDryRun, order.source == .schedule,
                try SortedJSON.text(of: order),
            ])
        try db.execute(
            sql: """
                DELETE FROM retention_orders WHERE id IN (
                    SELECT id FROM retention_orders ORDER BY issued_at DESC, id DESC LIMIT -1 OFFSET ?)
                """, arguments: [Self.most])
        try db.execute(
            sql: "DELETE FROM retention_reports WHERE order_id NOT IN (SELECT id FROM retention_orders)")
    }

    func order(_ id: String) throws -> RetentionStanding? {
        try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM retention_orders WHERE id = ?", arguments: [id])
            .map(standing)
    }

    /// The last ones, the newest first.
    func newest(limit: Int, isDryRun: Bool? = nil) throws -> [RetentionStanding] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(Self.columns) FROM retention_orders WHERE ?1 IS NULL OR is_dry_run = ?1
                ORDER BY issued_at DESC, id DESC LIMIT ?2
                """, arguments: [isDryRun, limit]
        ).map(standing)
    }

    /// False if the service has reported before.
    func add(_ report: RetentionReportDocument) throws -> Bool {
        try db.execute(
            sql: "INSERT OR IGNORE INTO retention_reports (order_id, service, document) VALUES (?, ?, ?)",
            arguments: [report.order, report.service, try SortedJSON.text(of: report)])
        return db.changesCount > 0
    }

    func complete(_ id: String, at time: UnixMilliseconds) throws {
        try db.execute(sql: "UPDATE retention_orders SET completed_at = ? WHERE id = ?", arguments: [time, id])
    }

    /// Orders that somebody has not executed in time and of which nobody was told yet; they are told of from now on.
    func takeLate(now: UnixMilliseconds) throws -> [RetentionStanding] {
        let late = "is_dry_run = 0 AND completed_at IS NULL AND is_late = 0 AND issued_at <= ?"
        let rows = try Row.fetchAll(
            db, sql: "SELECT \(Self.columns) FROM retention_orders WHERE \(late) ORDER BY issued_at",
            arguments: [now - Self.patience])
        let found = try rows.map(standing)
        try db.execute(
            sql: "UPDATE retention_orders SET is_late = 1 WHERE \(late)", arguments: [now - Self.patience])
        return found
    }

    /// When the next order that nobody was told of is late.
    func nextLate() throws -> UnixMilliseconds? {
        try UnixMilliseconds.fetchOne(
            db,
            sql: """
                SELECT min(issued_at) FROM retention_orders WHERE is_dry_run = 0 AND completed_at IS NULL AND is_late = 0
                """
        ).map { $0 + Self.patience }
    }

    /// When the schedule last gave an order; before the first, when it began.
    func lastScheduled() throws -> UnixMilliseconds? {
        try UnixMilliseconds.fetchOne(
            db, sql: "SELECT max(issued_at) FROM retention_orders WHERE is_scheduled = 1")
            ?? UnixMilliseconds.fetchOne(db, sql: "SELECT at FROM retention_begin")
    }

    func begin(at now: UnixMilliseconds) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO retention_begin (id, at) VALUES (1, ?)", arguments: [now])
    }

    private static let columns = "document, completed_at, is_late, id"

    private func standing(_ row: Row) throws -> RetentionStanding {
        let reports = try String.fetchAll(
            db, sql: "SELECT document FROM retention_reports WHERE order_id = ? ORDER BY service",
            arguments: [row[3] as String])
        return RetentionStanding(
            order: try Self.read(row[0]), completedAt: row[1], wasLate: row[2], reports: try reports.map(Self.read))
    }

    private static func read<Document: Decodable>(_ text: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    }
}

/// An order, and who has executed it.
struct RetentionStanding: Sendable, Equatable {
    let order: RetentionOrderDocument
    /// When the last of those who keep something reported; nil until then.
    let completedAt: UnixMilliseconds?
    /// Whether somebody was told that it is late.
    let wasLate: Bool
    /// By service.
    let reports: [RetentionReportDocument]

    /// Services that keep something and have not reported.
    var missing: [String] { RetentionKind.keepers.subtracting(reports.map(\.service)).sorted() }

    /// Of everybody, by the kind's name.
    var figures: [String: RetentionFigures] {
        reports.reduce(into: [:]) { sums, report in sums.merge(report.kinds) { $0.merged(with: $1) } }
    }

    /// Kinds of which a service still has something that is older than the order's cut-off.
    func overdue(at report: RetentionReportDocument) -> [String: UnixMilliseconds] {
        report.kinds.compactMapValues(\.oldest).filter { kind, oldest in
            RetentionKind(rawValue: kind).flatMap { order.cutoff(of: $0) }.map { oldest < $0 } ?? false
        }
    }
}
