package import Alarms
internal import Foundation
package import GRDB
internal import Models
internal import Storage
package import Wire

/// What contacts wanted sites to do and what became of it, and how sensors are, in the exporter's own database. Every function runs
/// in the caller's transaction.
package enum SiteTaskStore {
    package static let table = TaskTable("site_tasks")

    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE site_tasks (
                    id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, state TEXT NOT NULL, on_lane INTEGER NOT NULL,
                    document BLOB NOT NULL) WITHOUT ROWID;
                CREATE INDEX site_tasks_answered ON site_tasks (state) WHERE on_lane = 1;
                CREATE TABLE sensor_states (sensor INTEGER PRIMARY KEY, document BLOB NOT NULL);
                """)
    }

    /// Keeps a task whose command goes to the lane in this transaction.
    package static func add(_ task: SiteTask, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO site_tasks (id, tenant, state, on_lane, document) VALUES (?, ?, ?, 1, ?)",
            arguments: [
                task.command.task, task.command.tenant, task.state.rawValue,
                Blob.value(try SortedJSON.bytes(of: task)),
            ])
    }

    /// Takes over the rows of a block of kind `site_task`: what the router has decided, and what it has forgotten.
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
            let task = try JSONDecoder().decode(SiteTask.self, from: Data(document))
            try db.execute(
                sql: """
                    INSERT INTO site_tasks (id, tenant, state, on_lane, document) VALUES (?, ?, ?, 0, ?)
                    ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document
                    """, arguments: [key, task.command.tenant, task.state.rawValue, Blob.value(document)])
        }
        return columns.rowCount
    }

    /// A task of a tenant.
    package static func task(_ id: String, of tenant: String, _ db: Database) throws -> SiteTask? {
        try table.document(id, of: tenant, db).map {
            try JSONDecoder().decode(SiteTask.self, from: Data(Blob.bytes($0, 0)))
        }
    }
}

/// How sensors are.
extension SiteTaskStore {
    /// Takes over the rows of a block of kind `sensor_state`.
    package static func applyStates(_ columns: Columns, in db: Database) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let sensor = keys.value(row).flatMap({ Int64(String(decoding: $0, as: UTF8.self)) }) else { continue }
            if let document = documents?.value(row) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO sensor_states (sensor, document) VALUES (?, ?)",
                    arguments: [sensor, Blob.value(Array(document))])
            } else {
                try db.execute(sql: "DELETE FROM sensor_states WHERE sensor = ?", arguments: [sensor])
            }
        }
    }

    /// How one is; nil if nothing is known of it.
    package static func state(of sensor: Int64, _ db: Database) throws -> SensorState? {
        try Row.fetchOne(db, sql: "SELECT document FROM sensor_states WHERE sensor = ?", arguments: [sensor])
            .map { try JSONDecoder().decode(SensorState.self, from: Data(Blob.bytes($0, 0))) }
    }

    /// By sensor.
    package static func states(_ db: Database) throws -> [Int64: SensorState] {
        try Row.fetchAll(db, sql: "SELECT sensor, document FROM sensor_states").reduce(into: [:]) { states, row in
            states[row[0]] = try JSONDecoder().decode(SensorState.self, from: Data(Blob.bytes(row, 1)))
        }
    }
}
