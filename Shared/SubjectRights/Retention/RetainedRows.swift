package import GRDB
package import Lanes
package import Models

/// Rows of a table that has the time of each in a column with an index: what is of one time goes together.
package final class RetainedRows: RetainedKind {
    package let kind: RetentionKind
    package let itemsAtOnce: Int
    private let table: String
    private let time: String
    private let unit: Int64
    private let bytes: String

    /// - Parameters:
    ///   - time: the column; it has an index, or begins the table's key.
    ///   - unit: milliseconds of one in the column.
    ///   - bytes: SQL for the bytes of a row.
    package init(
        _ kind: RetentionKind, table: String, time: String, unit: Int64 = 1, bytes: String = "0", itemsAtOnce: Int = 200
    ) {
        self.kind = kind
        self.table = table
        self.time = time
        self.unit = unit
        self.bytes = bytes
        self.itemsAtOnce = itemsAtOnce
    }

    package func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(time), count(*), sum(\(bytes)) FROM \(table) WHERE \(time) > ? AND \(time) < ?
                    GROUP BY \(time) ORDER BY \(time) LIMIT ?
                    """), arguments: [mark.time, before / unit, limit])
        return RetentionLook(
            rows.map { RetainedItem(RetentionMark(time: $0[0]), records: $0[1], bytes: $0[2]) }, limit: limit)
    }

    package func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        let delete = try transaction.db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(time) = ?")
        for item in items { try delete.execute(arguments: [item.mark.time]) }
    }

    package func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(\(time)) FROM \(table)")).map { $0 * unit }
    }
}
