package import GRDB
package import IngestUploads

/// The days on which devices were seen.
extension IngestStore {
    /// Notes that a device was seen on a day, and says what is known of it then; a day that was counted is not counted again.
    package func note(_ device: UInt64, seenOn day: UInt32) throws -> DeviceTrust? {
        try db.cachedStatement(
            sql: """
                UPDATE devices SET days_seen = days_seen + 1, last_seen_day = ?2
                WHERE ordinal = ?1 AND days_seen < ?3 AND last_seen_day < ?2
                """
        ).execute(arguments: [Int64(device), Int64(day), Int64(DeviceTrust.daysWanted)])
        let statement = try db.cachedStatement(sql: "SELECT \(DeviceTrust.columns) FROM devices WHERE ordinal = ?")
        return try Row.fetchOne(statement, arguments: [Int64(device)]).map { DeviceTrust($0, from: 0) }
    }
}

extension DeviceTrust {
    /// What ``init(_:from:)`` reads, in that order.
    package static let columns = "enrolled_at, activation_batch IS NOT NULL, days_seen, last_seen_day"

    /// From a row of `devices` that has ``columns`` from a place on.
    package init(_ row: Row, from place: Int) {
        self.init(
            enrolledAt: row[place], isActivated: row[place + 1], daysSeen: row[place + 2], lastDay: row[place + 3])
    }
}
