package import GRDB
package import Models
internal import Storage

/// Tasks of TM Forum TMF642, each about several alarms. The command for one of them is a task of ``AlarmTaskStore`` whose id is that of
/// this one, a hyphen and a number. Every function runs in the caller's transaction.
package enum TMFTaskStore {
    /// For how long they are known, as their commands are.
    package static let kept: Int64 = 30 * 86_400_000

    /// A task as it was ordered.
    package struct Stored: Sendable {
        package let id: String
        /// What was ordered, as JSON.
        package let document: [UInt8]
        /// What became of it, alarm by alarm.
        package let commands: [AlarmTask]
    }

    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE tmf_tasks (
                    id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
                    document BLOB NOT NULL) WITHOUT ROWID;
                CREATE INDEX tmf_tasks_of_tenant ON tmf_tasks (tenant, kind, at, id);
                CREATE INDEX tmf_tasks_by_time ON tmf_tasks (at);
                """)
    }

    /// The id of the command for one of a task's alarms.
    package static func command(_ number: Int, of task: String) -> String { "\(task)-\(number)" }

    /// Tasks that go in one transaction.
    private static let atOnce = 200

    /// Forgets some of those that are too old.
    package static func expire(now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM tmf_tasks WHERE id IN (SELECT id FROM tmf_tasks WHERE at < ? ORDER BY at LIMIT ?)",
            arguments: [now - kept, atOnce])
    }

    /// When the oldest has been kept long enough; nil if there is none.
    package static func nextExpiry(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db, sql: "SELECT min(at) FROM tmf_tasks").map { $0 + kept + 1 }
    }

    /// Keeps a task.
    package static func add(
        _ id: String, of tenant: String, kind: String, at: UnixMilliseconds, _ document: [UInt8], _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO tmf_tasks (id, tenant, kind, at, document) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, tenant, kind, at, Blob.value(document)])
    }

    /// A task of a tenant.
    package static func task(_ id: String, of tenant: String, kind: String, now: UnixMilliseconds, _ db: Database)
        throws -> Stored?
    {
        try Row.fetchOne(
            db, sql: "SELECT id, document FROM tmf_tasks WHERE id = ? AND tenant = ? AND kind = ? AND at >= ?",
            arguments: [id, tenant, kind, now - kept]
        ).map { try stored($0, tenant, db) }
    }

    /// Some tasks of a tenant, the latest first, and how many there are.
    package static func tasks(
        of tenant: String, kind: String, offset: Int, limit: Int, now: UnixMilliseconds, _ db: Database
    ) throws -> (tasks: [Stored], count: Int) {
        let which = "FROM tmf_tasks WHERE tenant = ? AND kind = ? AND at >= ?"
        let arguments: StatementArguments = [tenant, kind, now - kept]
        let count = try Int.fetchOne(db, sql: "SELECT count(*) \(which)", arguments: arguments)
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, document \(which) ORDER BY at DESC, id DESC LIMIT \(limit) OFFSET \(offset)",
            arguments: arguments)
        return (try rows.map { try stored($0, tenant, db) }, count ?? 0)
    }

    private static func stored(_ row: Row, _ tenant: String, _ db: Database) throws -> Stored {
        let id: String = row[0]
        return Stored(
            id: id, document: Blob.bytes(row, 1), commands: try AlarmTaskStore.tasks(begunBy: id, of: tenant, db))
    }
}
