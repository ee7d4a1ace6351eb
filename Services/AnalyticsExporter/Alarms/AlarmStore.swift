internal import GRDB
internal import Models
internal import Wire

/// Copies of alarms and a ring of their changes, in the exporter's own database.
struct AlarmStore {
    /// Changes that are kept for clients that were away.
    var kept: Int64 = 10_000

    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alarms (alarm TEXT NOT NULL PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE alarm_changes (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT, alarm TEXT NOT NULL, document BLOB);
                """)
    }

    /// Takes over the rows of a block of kind alarm; a document that is known already changes nothing.
    ///
    /// - Returns: how many alarms changed.
    func apply(_ columns: Columns, in db: Database) throws -> Int {
        guard let keys = columns[ColumnID.key] else { return 0 }
        let documents = columns[ColumnID.document]
        var changed = 0
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row) else { continue }
            let alarm = String(decoding: key, as: UTF8.self)
            if try put(alarm, documents?.value(row).map(Array.init), in: db) { changed += 1 }
        }
        if changed > 0 {
            try db.execute(
                sql: "DELETE FROM alarm_changes WHERE sequence <= (SELECT max(sequence) FROM alarm_changes) - ?",
                arguments: [kept])
        }
        return changed
    }

    private func put(_ alarm: String, _ document: [UInt8]?, in db: Database) throws -> Bool {
        if let document {
            try db.execute(
                sql: """
                    INSERT INTO alarms (alarm, document) VALUES (?, ?)
                    ON CONFLICT (alarm) DO UPDATE SET document = excluded.document WHERE document IS NOT excluded.document
                    """, arguments: [alarm, Blob.value(document)])
        } else {
            try db.execute(sql: "DELETE FROM alarms WHERE alarm = ?", arguments: [alarm])
        }
        guard db.changesCount > 0 else { return false }
        try db.execute(
            sql: "INSERT INTO alarm_changes (alarm, document) VALUES (?, ?)",
            arguments: [alarm, document.map(Blob.value)])
        return true
    }

    /// Alarms that are known now, and the number of the last change in them.
    static func list(_ db: Database) throws -> (documents: [[UInt8]], last: Int64) {
        let documents = try Row.fetchAll(db, sql: "SELECT document FROM alarms ORDER BY alarm").map {
            Blob.bytes($0, 0)
        }
        return (documents, try last(db))
    }

    /// Changes after a number, in order; nil if some of them are not kept any more, or the number was never given out.
    static func changes(after sequence: Int64, limit: Int, _ db: Database) throws -> [AlarmChange]? {
        let newest = try last(db)
        let oldest = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM alarm_changes") ?? newest + 1
        guard sequence <= newest, sequence >= oldest - 1 else { return nil }
        return try Row.fetchAll(
            db, sql: "SELECT sequence, alarm, document FROM alarm_changes WHERE sequence > ? ORDER BY sequence LIMIT ?",
            arguments: [sequence, limit]
        ).map { AlarmChange(sequence: $0[0], alarm: $0[1], document: Blob.optionalBytes($0, 2)) }
    }

    /// The number of the last change there ever was.
    static func last(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm_changes'") ?? 0
    }
}
