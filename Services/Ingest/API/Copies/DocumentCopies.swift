internal import Foundation
internal import GRDB
internal import Models
internal import ServiceKit

/// Copies of what operators publish, as JSON by kind and key.
package struct DocumentCopies: Encodable, Sendable, Equatable {
    /// One document, without its content.
    struct Copy: Encodable, Sendable, Equatable {
        let kind: String
        let key: String
        /// The document's own `version`, if it has one.
        let version: Int64?
    }

    let documents: [Copy]
    /// When the last change that was read was committed by its writer; left out before the first.
    let as_of_ms: UnixMilliseconds?

    init(_ db: Database) throws {
        documents = try Row.fetchAll(
            db, sql: "SELECT kind, key, document FROM documents WHERE kind NOT IN (?, ?) ORDER BY kind, key",
            arguments: [Int64(RecordKind.erasureOrder.id), Int64(RecordKind.verificationKey.id)]
        ).map {
            let kind: Int = $0[0]
            let document = try? JSONValue(bytes: [UInt8]($0[2] as Data))
            return Copy(
                kind: RecordKind.platform(UInt8(clamping: kind))?.name ?? "\(kind)", key: $0[1],
                version: document?["version"]?.integer)
        }
        as_of_ms = try Self.asOf(.operations, db)
    }

    /// Takes over a document, or its removal.
    static func put(_ record: StateRecord, _ kind: RecordKind, _ db: Database) throws {
        guard let document = record.document else {
            return try db.execute(
                sql: "DELETE FROM documents WHERE kind = ? AND key = ?", arguments: [Int64(kind.id), record.key])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO documents (kind, key, document) VALUES (?, ?, ?)",
            arguments: [Int64(kind.id), record.key, Data(document)])
    }

    /// The document of a kind that has one key; nil if none was published.
    static func document(_ kind: RecordKind, _ db: Database) throws -> [UInt8]? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT document FROM documents WHERE kind = ? LIMIT 1"),
            arguments: [Int64(kind.id)]
        ).map { [UInt8]($0[0] as Data) }
    }

    /// The document of a kind and key; nil if there is none.
    static func document(_ kind: RecordKind, _ key: String, _ db: Database) throws -> [UInt8]? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT document FROM documents WHERE kind = ? AND key = ?"),
            arguments: [Int64(kind.id), key]
        ).map { [UInt8]($0) }
    }

    /// All documents of a kind.
    static func documents(_ kind: RecordKind, _ db: Database) throws -> [[UInt8]] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT document FROM documents WHERE kind = ?"), arguments: [Int64(kind.id)]
        ).map { [UInt8]($0) }
    }

    /// When the last block of a lane that is in the copy was committed by its writer.
    static func asOf(_ lane: LaneName, _ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db, sql: "SELECT as_of FROM lanes_read WHERE lane = ?", arguments: [lane.rawValue])
    }
}
