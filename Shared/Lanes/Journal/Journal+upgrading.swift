internal import Foundation
public import GRDB
public import Models
internal import Storage
public import Wire

/// A state lane whose kind has a new version is written anew in place, before anybody reads it: blocks keep their numbers, and rows
/// their order.
extension Journal {
    /// Rewrites blocks of older versions of a kind, inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - after: the last block that was looked at; 0 to begin.
    ///   - limit: bytes of blocks after which it is enough.
    ///   - newer: the rows of such a block as the present version has them, as many as there were.
    /// - Returns: the last block that was looked at; nil if none is left.
    public func upgrade(
        _ db: Database, kind: RecordKind, after: UInt64, bytes limit: Int, _ newer: (Columns) throws -> Columns
    ) throws -> UInt64? {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT number, size FROM \(schema.blocksTable) WHERE number > ? AND kind = ? ORDER BY number",
            arguments: [Int64(after), kind.id])
        var numbers: [Int64] = [], bytes = 0
        while bytes < limit, let row = try rows.next() {
            numbers.append(row[0])
            bytes += row[1] as Int
        }
        var encoder = ColumnEncoder()
        for number in numbers {
            guard var block = try block(number, db), block.header.kindVersion < kind.version else { continue }
            let columns = try newer(block.columns(with: &decoder))
            block.header.kindVersion = kind.version
            try replace(block, by: columns, db, &encoder)
        }
        try schema.save(state, db)
        return numbers.last.map { UInt64($0) }
    }

    /// Rewrites the keys of a kind in the index that compaction has, inside the caller's transaction. Takes time by their number.
    ///
    /// - Parameter newer: a key in its new form; nil: it has that already.
    public func upgradeKeys(
        _ db: Database, kind: RecordKind, _ newer: @escaping @Sendable (UnsafeRawBufferPointer) -> [UInt8]?
    ) throws {
        let function = DatabaseFunction("newer_record_key", argumentCount: 1, pure: true) { values in
            guard let bytes = Data.fromDatabaseValue(values[0]), bytes.first == kind.id else { return values[0] }
            return bytes.withUnsafeBytes { newer(UnsafeRawBufferPointer(rebasing: $0[1...])) }
                .map { Data([kind.id] + $0) } ?? bytes
        }
        db.add(function: function)
        defer { db.remove(function: function) }
        try db.execute(
            sql: """
                CREATE TEMP TABLE newer_keys AS SELECT newer_record_key(key) AS key, number FROM \(schema.keysTable);
                DELETE FROM \(schema.keysTable);
                INSERT INTO \(schema.keysTable) SELECT key, number FROM newer_keys ORDER BY key;
                DROP TABLE newer_keys;
                """)
    }
}
