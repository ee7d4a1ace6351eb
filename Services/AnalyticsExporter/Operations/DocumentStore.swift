internal import ExporterSupport
package import GRDB
package import Models
internal import Storage

/// SQL of what operators publish beside tenants and contacts: rules, campaigns, prompt policy, sites, as JSON by kind and key.
package enum DocumentStore {
    /// - Parameter tenant: whose document it is; empty for the home's.
    package static func put(_ record: OperationRecord, of tenant: String = "", _ db: Database) throws {
        guard let document = record.document else { return try remove(record.key, of: record.kind, db) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO operations (kind, key, document, tenant) VALUES (?, ?, ?, ?)",
            arguments: [Int64(record.kind.id), record.key, Blob.value(document), tenant])
    }

    /// Adds whose documents they are: channels say it, other documents were the home's.
    package static func addTenants(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE operations ADD COLUMN tenant TEXT NOT NULL DEFAULT ''")
        try db.execute(
            sql: "UPDATE operations SET tenant = json_extract(CAST(document AS TEXT), '$.tenant') WHERE kind = ?",
            arguments: [Int64(RecordKind.channel.id)])
    }

    /// Whose document it is; nil if there is none.
    package static func owner(of key: String, _ kind: RecordKind, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT tenant FROM operations WHERE kind = ? AND key = ?", arguments: [Int64(kind.id), key])
    }

    package static func count(of tenant: String, _ kind: RecordKind, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM operations WHERE kind = ? AND tenant = ?",
            arguments: [Int64(kind.id), tenant]) ?? 0
    }

    /// How many documents of a kind each site has.
    package static func countsBySite(_ kind: RecordKind, _ db: Database) throws -> [Int64: Int] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT json_extract(CAST(document AS TEXT), '$.site'), count(*) FROM operations WHERE kind = ? GROUP BY 1
                """, arguments: [Int64(kind.id)]
        ).reduce(into: [:]) { $0[$1[0] ?? 0] = $1[1] }
    }

    /// - Throws: ``ExporterAPIError`` 409 if a tenant has as many of a kind as it may have.
    package static func checkCount(of tenant: String, _ kind: RecordKind, most: Int, _ db: Database) throws {
        guard try count(of: tenant, kind, db) < most else { throw ExporterAPIError.tooMany(kind, most: most) }
    }

    /// Those of a kind that a tenant has, or all, by key.
    package static func all(of kind: RecordKind, ownedBy tenant: String?, _ db: Database) throws
        -> [(key: String, document: [UInt8])]
    {
        try Row.fetchAll(
            db,
            sql: "SELECT key, document FROM operations WHERE kind = ?1 AND (?2 IS NULL OR tenant = ?2) ORDER BY key",
            arguments: [Int64(kind.id), tenant]
        ).map { (key: $0[0], document: Blob.bytes($0, 1)) }
    }

    /// A tenant is gone, and its documents with it.
    ///
    /// - Returns: what the lane is told.
    package static func remove(of tenant: String, _ db: Database) throws -> [OperationRecord] {
        let kinds: [RecordKind] = [.rule, .channel, .schedule, .escalation, .maintenance, .doorKey, .loginCode]
        return try kinds.flatMap { kind in
            try all(of: kind, ownedBy: tenant, db).map { found in
                try remove(found.key, of: kind, db)
                return OperationRecord(removed: found.key, of: kind)
            }
        }
    }

    /// A contact is revoked: what names it and is worth something by itself is gone, for another may have the name one day.
    ///
    /// - Returns: what the lane is told.
    package static func remove(
        _ kind: RecordKind, of contact: String, _ tenant: String, _ db: Database
    ) throws -> [OperationRecord] {
        let own = try String.fetchAll(
            db,
            sql: """
                SELECT key FROM operations WHERE kind = ? AND tenant = ?
                AND json_extract(CAST(document AS TEXT), '$.contact') = ? ORDER BY key
                """, arguments: [Int64(kind.id), tenant, contact])
        return try own.map { key in
            try remove(key, of: kind, db)
            return OperationRecord(removed: key, of: kind)
        }
    }

    /// What says of itself that it is from before a moment goes, some at a time.
    ///
    /// - Returns: what the lane is told.
    package static func removeOver(_ kind: RecordKind, before: UnixMilliseconds, limit: Int = 100, _ db: Database)
        throws
        -> [OperationRecord]
    {
        try String.fetchAll(
            db,
            sql: """
                SELECT key FROM operations WHERE kind = ? AND json_extract(CAST(document AS TEXT), '$.at_ms') < ? LIMIT ?
                """, arguments: [Int64(kind.id), before, limit]
        ).map { key in
            try remove(key, of: kind, db)
            return OperationRecord(removed: key, of: kind)
        }
    }

    package static func remove(_ key: String, of kind: RecordKind, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM operations WHERE kind = ? AND key = ?", arguments: [Int64(kind.id), key])
    }

    package static func contains(_ key: String, of kind: RecordKind, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM operations WHERE kind = ? AND key = ?)",
            arguments: [Int64(kind.id), key]) ?? false
    }

    /// The document of a key; nil if there is none.
    package static func document(_ key: String, of kind: RecordKind, _ db: Database) throws -> [UInt8]? {
        try Row.fetchOne(
            db, sql: "SELECT document FROM operations WHERE kind = ? AND key = ?", arguments: [Int64(kind.id), key]
        ).map { Blob.bytes($0, 0) }
    }

    /// All of a kind, by key.
    package static func all(of kind: RecordKind, _ db: Database) throws -> [(key: String, document: [UInt8])] {
        try Row.fetchAll(
            db, sql: "SELECT key, document FROM operations WHERE kind = ? ORDER BY key", arguments: [Int64(kind.id)]
        ).map { (key: $0[0], document: Blob.bytes($0, 1)) }
    }
}
