internal import GRDB
internal import Models
internal import Storage
internal import SubjectRights
internal import Wire

/// Erasures that are not completed, with the time by which they must be, in the router's database. Inside the caller's
/// transaction.
struct OpenErasures {
    static let migration = Migration(
        "erasures that may become late",
        sql: """
            CREATE TABLE open_erasures (request TEXT PRIMARY KEY, due_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            CREATE INDEX open_erasures_due ON open_erasures (due_at);
            """)

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Takes over the rows of a block of kind `erasure_order`.
    func follow(_ columns: Columns) throws {
        for (_, order) in try columns.documents(ErasureOrderDocument.self) {
            if order.state == .completed {
                try db.execute(sql: "DELETE FROM open_erasures WHERE request = ?", arguments: [order.request])
            } else {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO open_erasures (request, due_at) VALUES (?, ?)",
                    arguments: [order.request, order.dueAt])
            }
        }
    }

    /// Those whose time is over.
    func late(_ now: UnixMilliseconds) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT count(*) FROM open_erasures WHERE due_at < ?", arguments: [now]) ?? 0
    }

    /// When the next one is late that is not so now.
    func nextLate(after now: UnixMilliseconds) throws -> UnixMilliseconds? {
        try Int64.fetchOne(
            db, sql: "SELECT min(due_at) + 1 FROM open_erasures WHERE due_at >= ?", arguments: [now])
    }
}
