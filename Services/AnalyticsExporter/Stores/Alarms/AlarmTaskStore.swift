internal import Foundation
package import GRDB
package import Models
internal import Storage
package import Wire

/// What contacts wanted done to alarms and what became of it, in the exporter's own database. Every function runs in the caller's
/// transaction.
package enum AlarmTaskStore {
    package static let table = TaskTable("alarm_tasks")

    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alarm_tasks (
                    id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, alarm TEXT NOT NULL, act TEXT NOT NULL,
                    at INTEGER NOT NULL, state TEXT NOT NULL, on_lane INTEGER NOT NULL, document BLOB NOT NULL)
                    WITHOUT ROWID;
                CREATE INDEX alarm_tasks_of_alarm ON alarm_tasks (alarm, tenant, at);
                CREATE INDEX alarm_tasks_answered ON alarm_tasks (state) WHERE on_lane = 1;
                """)
    }

    /// Keeps a task whose command goes to the lane in this transaction.
    package static func add(_ task: AlarmTask, _ db: Database) throws {
        let command = task.command
        try db.execute(
            sql: """
                INSERT INTO alarm_tasks (id, tenant, alarm, act, at, state, on_lane, document)
                VALUES (?, ?, ?, ?, ?, ?, 1, ?)
                """,
            arguments: [
                command.task, command.tenant, command.alarm, command.act.rawValue, command.at, task.state.rawValue,
                Blob.value(try SortedJSON.bytes(of: task)),
            ])
    }

    /// Takes over the rows of a block of kind `alarm_task`: what the router has decided, and what it has forgotten.
    ///
    /// - Returns: how many there were.
    package static func apply(_ columns: Columns, in db: Database) throws -> Int {
        guard let keys = columns[ColumnID.key] else { return 0 }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            guard let document = documents?.value(row).map(Array.init) else {
                try table.remove(key, db)
                continue
            }
            let task = try JSONDecoder().decode(AlarmTask.self, from: Data(document)), command = task.command
            // A copy that was made anew knows tasks that were begun by a home of before.
            try db.execute(
                sql: """
                    INSERT INTO alarm_tasks (id, tenant, alarm, act, at, state, on_lane, document)
                    VALUES (?, ?, ?, ?, ?, ?, 0, ?)
                    ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document
                    """,
                arguments: [
                    key, command.tenant, command.alarm, command.act.rawValue, command.at, task.state.rawValue,
                    Blob.value(document),
                ])
        }
        return columns.rowCount
    }

    /// A task of a tenant.
    package static func task(_ id: String, of tenant: String, _ db: Database) throws -> AlarmTask? {
        try table.document(id, of: tenant, db).map(task)
    }

    /// The tasks of a tenant about an alarm, in the order in which they were begun.
    package static func tasks(about alarm: String, of tenant: String, _ db: Database) throws -> [AlarmTask] {
        try Row.fetchAll(
            db, sql: "SELECT document FROM alarm_tasks WHERE alarm = ? AND tenant = ? ORDER BY at, id",
            arguments: [alarm, tenant]
        ).map(task)
    }

    /// The tasks of a tenant that one task of TMF642 has begun, in order.
    static func tasks(begunBy task: String, of tenant: String, _ db: Database) throws -> [AlarmTask] {
        try Row.fetchAll(
            db,
            sql: "SELECT document FROM alarm_tasks WHERE id > ? || '-' AND id < ? || '.' AND tenant = ? ORDER BY alarm",
            arguments: [task, task, tenant]
        ).map(self.task)
    }

    private static func task(_ row: Row) throws -> AlarmTask {
        try JSONDecoder().decode(AlarmTask.self, from: Data(Blob.bytes(row, 0)))
    }
}
