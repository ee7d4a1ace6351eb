internal import ExporterSupport
internal import Foundation
package import GRDB
package import Models
internal import Storage
package import Wire

/// Copies of what the contacts of each tenant have done about alarms. Every function runs in the caller's transaction.
package enum AlarmHandlingStore {
    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alarm_handlings (
                    alarm TEXT NOT NULL, tenant TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (alarm, tenant))
                    WITHOUT ROWID;
                ALTER TABLE alarm_changes ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
                CREATE TABLE alarm_history (
                    alarm TEXT NOT NULL, at INTEGER NOT NULL, severity TEXT NOT NULL, state TEXT NOT NULL,
                    PRIMARY KEY (alarm, at, severity, state)) WITHOUT ROWID;
                """)
    }

    /// Takes over the rows of a block of kind `alarm_handling`; who follows the tenant's alarms is told of each.
    ///
    /// - Returns: how many there were.
    package static func apply(_ columns: Columns, in db: Database) throws -> Int {
        guard let keys = columns[ColumnID.key] else { return 0 }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }),
                let slash = key.firstIndex(of: "/")
            else { continue }
            let alarm = String(key[..<slash]), tenant = String(key[key.index(after: slash)...])
            guard let document = documents?.value(row).map(Array.init) else {
                try db.execute(
                    sql: "DELETE FROM alarm_handlings WHERE alarm = ? AND tenant = ?", arguments: [alarm, tenant])
                continue
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO alarm_handlings (alarm, tenant, document) VALUES (?, ?, ?)",
                arguments: [alarm, tenant, Blob.value(document)])
            try db.execute(
                sql: """
                    INSERT INTO alarm_changes (alarm, document, plmn, serving, tenant)
                    SELECT alarm, document, plmn, serving, ? FROM alarms WHERE alarm = ?
                    """, arguments: [tenant, alarm])
        }
        return columns.rowCount
    }

    /// A document of an alarm as a tenant sees it.
    ///
    /// - Parameter handling: the tenant's, as it is stored; nil if nobody has begun.
    static func shown(_ document: [UInt8], _ handling: [UInt8]?) throws -> [UInt8] {
        guard let handling else { return document }
        return try JSONDecoder().decode(AlarmHandling.self, from: Data(handling)).shown(in: document)
    }

    /// Notes that an alarm has become another: what its history tells.
    static func note(_ alarm: String, at: UnixMilliseconds, severity: String, state: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO alarm_history (alarm, at, severity, state)
                SELECT ?1, ?2, ?3, ?4 WHERE (?3, ?4) IS NOT (
                    SELECT severity, state FROM alarm_history WHERE alarm = ?1 ORDER BY at DESC LIMIT 1)
                ON CONFLICT DO NOTHING
                """, arguments: [alarm, at, severity, state])
    }

    /// What an alarm has been, in the order of time.
    package static func history(of alarm: String, _ db: Database) throws -> [AlarmMoment] {
        try Row.fetchAll(
            db, sql: "SELECT at, severity, state FROM alarm_history WHERE alarm = ? ORDER BY at", arguments: [alarm]
        ).map { AlarmMoment(at: $0[0], severity: $0[1], state: $0[2]) }
    }

    /// Nothing is left of an alarm that is gone.
    static func forget(_ alarm: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM alarm_history WHERE alarm = ?", arguments: [alarm])
        try db.execute(sql: "DELETE FROM alarm_handlings WHERE alarm = ?", arguments: [alarm])
    }
}

/// How an alarm was from a moment on.
package struct AlarmMoment: Sendable, Equatable {
    package let at: UnixMilliseconds
    /// `perceivedSeverity` and `state` of its document.
    package let severity, state: String
}
