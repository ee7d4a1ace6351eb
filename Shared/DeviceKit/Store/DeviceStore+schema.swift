internal import GRDB

extension DeviceStore {
    /// Makes the tables that a file has not yet; refuses one of a newer program.
    static func prepare(_ db: Database) throws {
        let version = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= Self.version else { throw DeviceStoreError.newer(version: version) }
        guard version < Self.version else { return }
        try db.inTransaction(.immediate) {
            if version < 1 { try db.execute(sql: first) }
            try db.execute(
                sql: """
                    CREATE TABLE slow_state (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL);
                    PRAGMA user_version = \(Self.version);
                    """)
            return .commit
        }
    }

    /// Those of version 1.
    private static let first = """
        CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL);
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE records (
            seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, is_urgent INTEGER NOT NULL, at INTEGER NOT NULL,
            slot INTEGER, is_renumbered INTEGER NOT NULL DEFAULT 0, sealed BLOB NOT NULL);
        CREATE INDEX waiting ON records (slot, is_urgent, kind);
        CREATE TABLE uploads (
            slot INTEGER PRIMARY KEY, key TEXT NOT NULL, kind INTEGER NOT NULL, row_count INTEGER NOT NULL,
            byte_count INTEGER NOT NULL, is_compressed INTEGER NOT NULL, shift INTEGER NOT NULL,
            is_full INTEGER NOT NULL, newest INTEGER NOT NULL, body BLOB NOT NULL);
        """

    /// How the queue stands.
    static func facts(_ db: Database) throws -> QueueFacts {
        var facts = QueueFacts()
        let waiting = try db.cachedStatement(
            sql: """
                SELECT is_urgent, count(*) AS count, sum(length(sealed)) AS bytes, min(at) AS oldest
                FROM records WHERE slot IS NULL GROUP BY is_urgent
                """)
        for row in try Row.fetchAll(waiting) {
            let some = QueueFacts.Waiting(count: row["count"], bytes: row["bytes"], oldest: row["oldest"])
            if row["is_urgent"] as Bool { facts.urgent = some } else { facts.ordinary = some }
        }
        for row in try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT slot, key, kind, row_count, byte_count, is_compressed, shift, is_full, newest FROM uploads
                    """))
        {
            guard let slot = UploadSlot(rawValue: row["slot"]), let kind = DeviceRecordKind(rawValue: row["kind"])
            else { continue }
            facts.pending[slot] = QueueFacts.Pending(
                kind: kind, key: row["key"], rows: row["row_count"], bytes: row["byte_count"],
                isCompressed: row["is_compressed"], shift: row["shift"], isFull: row["is_full"],
                newest: row["newest"])
        }
        return facts
    }
}
