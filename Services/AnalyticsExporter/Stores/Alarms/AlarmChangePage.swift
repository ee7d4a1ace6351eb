package import ExporterSupport
package import GRDB
internal import Storage

/// What happened to one alarm: its new document, or that it is gone.
package struct AlarmChange: Equatable, Sendable {
    /// Rises by one a change, of whichever alarm; the event id of the stream.
    let sequence: Int64
    /// The alarm's identifier.
    let alarm: String
    /// TMF642 JSON as the router wrote it; nil if the alarm is gone.
    let document: [UInt8]?
}

/// Some of the changes after a number, in order.
package struct AlarmChangePage: Equatable, Sendable {
    /// Those in scope.
    package let changes: [AlarmChange]
    /// Everything up to here is in it or none of the reader's business; it counts the changes of all alarms.
    package let through: Int64
}

extension AlarmStore {
    /// The next changes in scope after a number; nil if some changes are not kept any more, or the number was never given
    /// out.
    package static func changes(after sequence: Int64, limit: Int, _ tenant: Tenant, _ db: Database) throws
        -> AlarmChangePage?
    {
        let newest = try last(db)
        let oldest = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM alarm_changes") ?? newest + 1
        guard sequence <= newest, sequence >= oldest - 1 else { return nil }
        let changes = try Row.fetchAll(
            db,
            sql: """
                SELECT sequence, c.alarm, c.document, h.document FROM alarm_changes c
                LEFT JOIN alarm_handlings h ON h.alarm = c.alarm AND h.tenant = ?1
                WHERE sequence > ?2 AND c.tenant IN ('', ?1) AND \(condition(tenant.scope)) ORDER BY sequence LIMIT ?3
                """, arguments: [tenant.name, sequence, limit]
        ).map { row in
            let document = try Blob.optionalBytes(row, 2).map { document in
                try AlarmHandlingStore.shown(document, Blob.optionalBytes(row, 3))
            }
            return AlarmChange(sequence: row[0], alarm: row[1], document: document)
        }
        let isWhole = changes.count < limit
        return AlarmChangePage(changes: changes, through: isWhole ? newest : changes.last!.sequence)
    }
}
