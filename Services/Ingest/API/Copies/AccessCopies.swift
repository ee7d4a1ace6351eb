internal import Foundation
internal import GRDB
internal import Models
internal import SubjectRights
internal import Wire

/// Parts of answers to requests for access, sealed, in ingest's copies: until the privacy worker says that they are gone.
///
///     access_parts(request, service, part, is_last, device, sealed)
enum AccessCopies {
    static let tables = """
        CREATE TABLE access_parts (
            number INTEGER PRIMARY KEY, request TEXT NOT NULL, service TEXT NOT NULL, part INTEGER NOT NULL,
            is_last INTEGER NOT NULL, device INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;
        CREATE UNIQUE INDEX access_parts_by_name ON access_parts (request, service, part);
        CREATE INDEX access_parts_of_device ON access_parts (device);
        """

    /// Takes over the rows of a block of kind `access_part`.
    static func take(_ columns: Columns, _ db: Database) throws {
        let keys = columns[ColumnID.key], parts = try AccessPart.all(of: columns)
        let there = Set(parts.map(\.row))
        for row in 0..<columns.rowCount where !there.contains(row) {
            if let key = keys?.value(row) { try remove(String(decoding: key, as: UTF8.self), db) }
        }
        for (_, part) in parts { try put(part, db) }
    }

    private static func put(_ part: AccessPart, _ db: Database) throws {
        let document = part.document
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO access_parts (request, service, part, is_last, device, sealed)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            document.request, document.service, document.index, document.isLast, Int64(bitPattern: part.device),
            Data(part.sealed),
        ])
        guard document.isLast else { return }
        // A service that lost its database gives everything anew, perhaps in fewer parts.
        try db.execute(
            sql: "DELETE FROM access_parts WHERE request = ? AND service = ? AND part > ?",
            arguments: [document.request, document.service, document.index])
    }

    private static func remove(_ key: String, _ db: Database) throws {
        let names = key.split(separator: "/").map(String.init)
        guard names.count == 3, let part = Int64(names[2]) else { return }
        try db.cachedStatement(sql: "DELETE FROM access_parts WHERE request = ? AND service = ? AND part = ?")
            .execute(arguments: [names[0], names[1], part])
    }

    /// Services that have given everything, with the number of their last part.
    static func complete(_ request: String, _ db: Database) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT service, max(part), count(*), max(is_last * part) FROM access_parts WHERE request = ? GROUP BY service
                """, arguments: [request])
        return rows.reduce(into: [:]) { complete, row in
            let last: Int = row[1]
            if row[2] == last, row[3] == last { complete[row[0]] = last }
        }
    }

    /// A part, nil if it is not there.
    static func part(
        _ request: String, _ service: String, _ index: Int, _ db: Database
    ) throws -> (document: AccessPartDocument, sealed: [UInt8])? {
        let row = try Row.fetchOne(
            db, sql: "SELECT is_last, sealed FROM access_parts WHERE request = ? AND service = ? AND part = ?",
            arguments: [request, service, index])
        return row.map {
            (
                AccessPartDocument(request: request, service: service, index: index, isLast: $0[0]),
                [UInt8]($0[1] as Data)
            )
        }
    }
}
