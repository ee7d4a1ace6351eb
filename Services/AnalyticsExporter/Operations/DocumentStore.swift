package import GRDB
package import Models
internal import Storage

/// SQL of what operators publish beside tenants and contacts: rules, campaigns, prompt policy, sites, as JSON by kind and key.
package enum DocumentStore {
    package static func put(_ record: OperationRecord, _ db: Database) throws {
        guard let document = record.document else { return try remove(record.key, of: record.kind, db) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO operations (kind, key, document) VALUES (?, ?, ?)",
            arguments: [Int64(record.kind.id), record.key, Blob.value(document)])
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
