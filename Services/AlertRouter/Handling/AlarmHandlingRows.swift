internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// What contacts have done about alarms, and which commands were decided, in the router's database. Every function runs in the
/// caller's transaction.
enum AlarmHandlingRows {
    static let migration = Migration(
        "handling of alarms",
        sql: """
            CREATE TABLE alarm_handlings (
                alarm INTEGER NOT NULL REFERENCES alarms (number) ON DELETE CASCADE, tenant TEXT NOT NULL,
                document BLOB NOT NULL, due_at INTEGER, PRIMARY KEY (alarm, tenant)) STRICT, WITHOUT ROWID;
            CREATE INDEX alarm_handlings_due ON alarm_handlings (due_at) WHERE due_at IS NOT NULL;
            CREATE TABLE alarm_tasks (id TEXT PRIMARY KEY, decided_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            CREATE INDEX alarm_tasks_by_time ON alarm_tasks (decided_at);
            CREATE INDEX alarms_by_id ON alarms (id);
            """)

    /// A handling with the number of its alarm.
    struct Stored {
        let alarm: Int64
        var handling: AlarmHandling
    }

    static func handling(of alarm: Int64, by tenant: String, _ db: Database) throws -> AlarmHandling? {
        let statement = try db.cachedStatement(
            sql: "SELECT document FROM alarm_handlings WHERE alarm = ? AND tenant = ?")
        return try Row.fetchOne(statement, arguments: [alarm, tenant]).map { try handling($0) }
    }

    /// Of all tenants.
    static func handlings(of alarm: Int64, _ db: Database) throws -> [AlarmHandling] {
        let statement = try db.cachedStatement(
            sql: "SELECT document FROM alarm_handlings WHERE alarm = ? ORDER BY tenant")
        return try Row.fetchAll(statement, arguments: [alarm]).map { try handling($0) }
    }

    /// Those of a tenant whose alarms were raised during planned work of a name, with the numbers of the alarms.
    static func planned(_ maintenance: String, of tenant: String, _ db: Database) throws -> [Stored] {
        try Row.fetchAll(
            db,
            sql: "SELECT document, alarm FROM alarm_handlings WHERE tenant = ? AND due_at IS NOT NULL ORDER BY alarm",
            arguments: [tenant]
        ).map { Stored(alarm: $0[1], handling: try handling($0)) }
            .filter { $0.handling.planned?.maintenance == maintenance && $0.handling.planned?.until != nil }
    }

    static func put(_ handling: AlarmHandling, of alarm: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO alarm_handlings (alarm, tenant, document, due_at) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [alarm, handling.tenant, Blob.value(try SortedJSON.bytes(of: handling)), handling.dueAt])
    }

    /// Those of which something has run out by now, longest first.
    static func due(_ now: UnixMilliseconds, limit: Int, _ db: Database) throws -> [Stored] {
        let statement = try db.cachedStatement(
            sql: "SELECT document, alarm FROM alarm_handlings WHERE due_at <= ? ORDER BY due_at, alarm LIMIT ?")
        return try Row.fetchAll(statement, arguments: [now, limit]).map {
            Stored(alarm: $0[1], handling: try handling($0))
        }
    }

    static func nextDue(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(due_at) FROM alarm_handlings WHERE due_at IS NOT NULL"))
    }

    /// Those of tenants that are not there any more, which are forgotten.
    ///
    /// - Returns: their keys on the lane.
    static func forgetOthers(than tenants: [String], _ db: Database) throws -> [String] {
        let known = try String.fetchAll(db, sql: "SELECT DISTINCT tenant FROM alarm_handlings")
        return try known.filter { !tenants.contains($0) }.flatMap { tenant in
            let rows = try Row.fetchAll(
                db, sql: "SELECT document FROM alarm_handlings WHERE tenant = ? ORDER BY alarm", arguments: [tenant])
            try db.execute(sql: "DELETE FROM alarm_handlings WHERE tenant = ?", arguments: [tenant])
            return try rows.map { try handling($0).key }
        }
    }

    /// The number of an alarm.
    static func number(of alarm: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT number FROM alarms WHERE id = ?"), arguments: [alarm])
    }

    /// Whether there is such an alarm and it is not over.
    static func isOpen(_ alarm: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM alarms WHERE id = ? AND cleared_at IS NULL")
        return try Int.fetchOne(statement, arguments: [alarm]) != nil
    }

    private static func handling(_ row: Row) throws -> AlarmHandling {
        try JSONDecoder().decode(AlarmHandling.self, from: Data(Blob.bytes(row, 0)))
    }
}

/// Which commands were decided: told twice, they are carried out once.
extension AlarmHandlingRows {
    /// Notes that a command is decided; false if it was already.
    static func decide(_ task: String, at now: UnixMilliseconds, _ db: Database) throws -> Bool {
        try db.cachedStatement(sql: "INSERT INTO alarm_tasks (id, decided_at) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .execute(arguments: [task, now])
        return db.changesCount > 0
    }

    /// Tasks that were decided before a moment, which are forgotten.
    static func forgetTasks(before moment: UnixMilliseconds, limit: Int, _ db: Database) throws -> [String] {
        let tasks = try String.fetchAll(
            db, sql: "SELECT id FROM alarm_tasks WHERE decided_at < ? ORDER BY decided_at, id LIMIT ?",
            arguments: [moment, limit])
        for task in tasks { try db.execute(sql: "DELETE FROM alarm_tasks WHERE id = ?", arguments: [task]) }
        return tasks
    }

    static func oldestTask(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(decided_at) FROM alarm_tasks"))
    }
}
