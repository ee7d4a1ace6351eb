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
    package static func changes(after sequence: Int64, limit: Int, _ scope: NetworkScope, _ db: Database) throws
        -> AlarmChangePage?
    {
        let newest = try last(db)
        let oldest = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM alarm_changes") ?? newest + 1
        guard sequence <= newest, sequence >= oldest - 1 else { return nil }
        let changes = try Row.fetchAll(
            db,
            sql: """
                SELECT sequence, alarm, document FROM alarm_changes
                WHERE sequence > ? AND \(condition(scope)) ORDER BY sequence LIMIT ?
                """, arguments: [sequence, limit]
        ).map { AlarmChange(sequence: $0[0], alarm: $0[1], document: Blob.optionalBytes($0, 2)) }
        let isWhole = changes.count < limit
        return AlarmChangePage(changes: changes, through: isWhole ? newest : changes.last!.sequence)
    }
}
