package import ExporterSupport
internal import Foundation
package import GRDB
internal import Models
public import Storage
package import Wire

/// Copies of alarms and a ring of their changes, in the exporter's own database, each with the network of its SIMs and, in
/// `serving`, those that served them or what else owns it: whose alarm it is.
package struct AlarmStore {
    /// Changes that are kept for clients that were away.
    let kept: Int64

    package init(kept: Int64 = 10_000) { self.kept = kept }

    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alarms (alarm TEXT NOT NULL PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE alarm_changes (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT, alarm TEXT NOT NULL, document BLOB);
                """)
    }

    /// Adds the network to both tables; of a deletion before, whose alarm nobody knows any more, it stays unknown.
    package static func addNetworks(_ db: Database) throws {
        for (table, key) in [("alarms", "alarm"), ("alarm_changes", "sequence")] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN plmn INTEGER NOT NULL DEFAULT 0")
            let rows = try Row.fetchAll(db, sql: "SELECT \(key), document FROM \(table) WHERE document IS NOT NULL")
            for row in rows {
                try db.execute(
                    sql: "UPDATE \(table) SET plmn = ? WHERE \(key) = ?",
                    arguments: [network(of: Blob.bytes(row, 1)).rawValue, row[0] as DatabaseValue])
            }
        }
    }

    /// Adds the networks that served an alarm's SIMs to both tables; of alarms that are there they come with the next change.
    package static func addServing(_ db: Database) throws {
        for table in ["alarms", "alarm_changes"] {
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN serving TEXT NOT NULL DEFAULT ''")
        }
    }

    /// What was told of an alarm is found by it alone, once it is gone.
    package static func indexChanges(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX alarm_changes_of_alarm ON alarm_changes (alarm)")
    }

    /// When a network was away, of alarms that say so: from when to when (the end of time while it goes on), Unix milliseconds.
    package static func addOutages(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE alarms ADD COLUMN outage_from INTEGER;
                ALTER TABLE alarms ADD COLUMN outage_to INTEGER;
                CREATE INDEX alarm_outages ON alarms (outage_to, outage_from) WHERE outage_from IS NOT NULL;
                """)
        for row in try Row.fetchAll(db, sql: "SELECT alarm, document FROM alarms") {
            guard let outage = Named(Blob.bytes(row, 1)).outage else { continue }
            try db.execute(
                sql: "UPDATE alarms SET outage_from = ?, outage_to = ? WHERE alarm = ?",
                arguments: [outage.from, outage.to, row[0] as String])
        }
    }

    /// Takes over the rows of a block of kind alarm; a document that is known already changes nothing.
    ///
    /// - Returns: how many alarms changed.
    package func apply(_ columns: Columns, in db: Database) throws -> Int {
        guard let keys = columns[ColumnID.key] else { return 0 }
        let documents = columns[ColumnID.document]
        let concerned = [columns[ColumnID.networks], columns[ColumnID.scope]].compactMap { $0 }
        var changed = 0
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row) else { continue }
            let alarm = String(decoding: key, as: UTF8.self)
            let serving = concerned.compactMap { $0.value(row).map { String(decoding: $0, as: UTF8.self) } }
                .joined(separator: " ")
            if try put(alarm, documents?.value(row).map(Array.init), serving: serving, in: db) { changed += 1 }
        }
        if changed > 0 { try trim(db) }
        return changed
    }

    /// Keeps the ring of changes as long as it may be.
    package func trim(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM alarm_changes WHERE sequence <= (SELECT max(sequence) FROM alarm_changes) - ?",
            arguments: [kept])
    }

    private func put(_ alarm: String, _ document: [UInt8]?, serving: String, in db: Database) throws -> Bool {
        let known = try Row.fetchOne(db, sql: "SELECT plmn, serving FROM alarms WHERE alarm = ?", arguments: [alarm])
        let plmn = document.map(Self.network(of:))?.rawValue ?? known?["plmn"] ?? 0
        let concerned = document == nil ? known?["serving"] ?? "" : serving
        if let document {
            let outage = Named(document).outage
            try db.execute(
                sql: """
                    INSERT INTO alarms (alarm, document, plmn, serving, outage_from, outage_to) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (alarm) DO UPDATE SET document = excluded.document, plmn = excluded.plmn,
                        serving = excluded.serving, outage_from = excluded.outage_from, outage_to = excluded.outage_to
                        WHERE document IS NOT excluded.document OR serving IS NOT excluded.serving
                    """, arguments: [alarm, Blob.value(document), plmn, concerned, outage?.from, outage?.to])
        } else {
            try db.execute(sql: "DELETE FROM alarms WHERE alarm = ?", arguments: [alarm])
        }
        guard db.changesCount > 0 else { return false }
        if let document {
            let named = Named(document), at = named.changedAt ?? named.raisedAt
            if let at { try AlarmHandlingStore.note(alarm, at: at, severity: named.severity, state: named.state, db) }
        } else {
            try forgetDocuments(of: alarm, db)
            try AlarmHandlingStore.forget(alarm, db)
        }
        try db.execute(
            sql: "INSERT INTO alarm_changes (alarm, document, plmn, serving) VALUES (?, ?, ?, ?)",
            arguments: [alarm, document.map(Blob.value), plmn, concerned])
        return true
    }

    /// Of an alarm that is gone no document stays behind; that there was a change does.
    private func forgetDocuments(of alarm: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE alarm_changes SET document = NULL WHERE alarm = ? AND document IS NOT NULL", arguments: [alarm]
        )
    }

    /// What a scope means for alarms.
    static func condition(_ scope: NetworkScope) -> String { scope.condition(on: "plmn", orAmong: "serving") }

    /// The network that an alarm's document names; unknown if it names none.
    static func network(of document: [UInt8]) -> PLMN { Named(document).plmn }

    /// What this store reads of a document.
    private struct Named {
        private struct Members: Decodable {
            let plmn, perceivedSeverity, state, probableCause: String?
            let alarmRaisedTime, alarmChangedTime, alarmClearedTime: String?
        }

        private let members: Members?

        init(_ document: [UInt8]) { members = try? JSONDecoder().decode(Members.self, from: Data(document)) }

        var plmn: PLMN { members?.plmn.flatMap(PLMN.init(text:)) ?? .unknown }
        var severity: String { members?.perceivedSeverity ?? "indeterminate" }
        var state: String { members?.state ?? "updated" }
        var raisedAt: UnixMilliseconds? { members?.alarmRaisedTime.flatMap { Timestamp.milliseconds($0) } }
        var changedAt: UnixMilliseconds? { members?.alarmChangedTime.flatMap { Timestamp.milliseconds($0) } }

        /// From when to when a network was away, if the alarm says so.
        var outage: (from: UnixMilliseconds, to: UnixMilliseconds)? {
            guard members?.probableCause == "lossOfSignal", let raisedAt else { return nil }
            return (raisedAt, members?.alarmClearedTime.flatMap { Timestamp.milliseconds($0) } ?? .max)
        }
    }

    private static let seen = """
        FROM alarms a LEFT JOIN alarm_handlings h ON h.alarm = a.alarm AND h.tenant = ?1
        """

    /// An alarm that a tenant sees now.
    package static func document(of alarm: String, _ tenant: Tenant, _ db: Database) throws -> [UInt8]? {
        let sql = "SELECT a.document, h.document \(seen) WHERE a.alarm = ?2 AND (\(condition(tenant.scope)))"
        return try Row.fetchOne(db, sql: sql, arguments: [tenant.name, alarm]).map {
            try AlarmHandlingStore.shown(Blob.bytes($0, 0), Blob.optionalBytes($0, 1))
        }
    }

    /// The number of the last change there ever was.
    package static func last(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm_changes'") ?? 0
    }
}

extension ExporterStore {
    /// Identifiers of the alarms that a tenant would be shown, in order; for checks of everything there is.
    ///
    /// - Parameters:
    ///   - name: a tenant that is there; the alarms of any other are none.
    ///   - database: with ``migrations``.
    public static func alarms(of name: String, in database: ServiceDatabase) throws -> [String] {
        try database.read { db in
            guard let tenant = try TenantStore.find(name, db), tenant.removedAt == nil else { return [] }
            let condition = AlarmStore.condition(tenant.asTenant.scope)
            return try String.fetchAll(db, sql: "SELECT alarm FROM alarms WHERE \(condition) ORDER BY alarm")
        }
    }
}
