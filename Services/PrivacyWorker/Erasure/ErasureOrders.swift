internal import Foundation
internal import GRDB
internal import Models

/// The SQL of erasure orders and of the keys that verify receipts, inside the caller's transaction. Names no ordinal.
struct ErasureOrders {
    /// - `erasure_orders`: the document of each request, with what is asked for often in columns of its own. Kept for ever: a
    ///   backup of before may be restored years later.
    /// - `verification_keys`: the public keys that services announced.
    static let schema = """
        CREATE TABLE erasure_orders (
            request TEXT PRIMARY KEY, state TEXT NOT NULL, requested_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
            completed_at INTEGER, is_late INTEGER NOT NULL DEFAULT 0, document TEXT NOT NULL) STRICT;
        CREATE INDEX erasure_orders_open ON erasure_orders (due_at) WHERE completed_at IS NULL;
        CREATE INDEX erasure_orders_by_time ON erasure_orders (requested_at, request);
        CREATE TABLE verification_keys (
            id TEXT PRIMARY KEY, service TEXT NOT NULL, document TEXT NOT NULL) STRICT;
        """

    private let db: Database

    init(_ db: Database) { self.db = db }

    func order(_ request: String) throws -> ErasureOrderDocument? {
        let statement = try db.cachedStatement(sql: "SELECT document FROM erasure_orders WHERE request = ?")
        return try String.fetchOne(statement, arguments: [request]).map(Self.document)
    }

    func save(_ order: ErasureOrderDocument) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO erasure_orders (request, state, requested_at, due_at, completed_at, document)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (request) DO UPDATE SET
                    state = excluded.state, completed_at = excluded.completed_at, document = excluded.document
                """
        ).execute(arguments: [
            order.request, order.state.rawValue, order.requestedAt, order.dueAt, order.completedAt,
            try SortedJSON.text(of: order),
        ])
    }

    /// A page of orders by time of request, the newest first.
    func page(before: (time: UnixMilliseconds, request: String), limit: Int) throws -> [ErasureOrderDocument] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT document FROM erasure_orders WHERE (requested_at, request) < (?, ?)
                ORDER BY requested_at DESC, request DESC LIMIT ?
                """)
        return try String.fetchAll(statement, arguments: [before.time, before.request, limit]).map(Self.document)
    }

    /// How the orders stand.
    func standing(now: UnixMilliseconds) throws -> ErasureStanding {
        let open = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), min(requested_at), count(*) FILTER (WHERE due_at < ?)
                FROM erasure_orders WHERE completed_at IS NULL
                """, arguments: [now])
        let isOpen = (open?[0] as Int?) ?? 0
        // SQLite counts in the narrowest index: the documents, which stand in the rows, are not read once a second.
        let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM erasure_orders")
        return ErasureStanding(
            open: isOpen, late: open?[2] ?? 0, completed: (all ?? 0) - isOpen,
            oldest: (open?[1] as UnixMilliseconds?).map { now - $0 })
    }

    /// Requests whose time is over and of which nobody was told yet; they are told of from now on.
    func takeLate(now: UnixMilliseconds) throws -> [ErasureOrderDocument] {
        let texts = try String.fetchAll(
            db, sql: "SELECT document FROM erasure_orders WHERE completed_at IS NULL AND due_at < ? AND is_late = 0",
            arguments: [now])
        try db.execute(
            sql: "UPDATE erasure_orders SET is_late = 1 WHERE completed_at IS NULL AND due_at < ?", arguments: [now])
        return try texts.map(Self.document)
    }

    /// When the next order that nobody was told of is late.
    func nextLate() throws -> UnixMilliseconds? {
        try UnixMilliseconds.fetchOne(
            db, sql: "SELECT min(due_at) + 1 FROM erasure_orders WHERE completed_at IS NULL AND is_late = 0")
    }

    /// False if the key was known before.
    func add(_ key: VerificationKeyDocument) throws -> Bool {
        try db.execute(
            sql: "INSERT OR IGNORE INTO verification_keys (id, service, document) VALUES (?, ?, ?)",
            arguments: [key.keyID, key.service, try SortedJSON.text(of: key)])
        return db.changesCount > 0
    }

    func key(_ id: String) throws -> VerificationKeyDocument? {
        try String.fetchOne(db, sql: "SELECT document FROM verification_keys WHERE id = ?", arguments: [id]).map {
            try JSONDecoder().decode(VerificationKeyDocument.self, from: Data($0.utf8))
        }
    }

    private static func document(_ text: String) throws -> ErasureOrderDocument {
        try JSONDecoder().decode(ErasureOrderDocument.self, from: Data(text.utf8))
    }
}
