package import ExporterSupport
package import GRDB
package import Models

/// An alarm that says that a network was away, as far as it explains a gap in a series.
package struct StoredOutage: Sendable {
    package let alarm: String
    package let plmn: PLMN
    /// Of the alarm's cell; empty if it has none.
    package let quadkey: String
    package let severity: String
    package let raisedAt: UnixMilliseconds
    /// Nil while it goes on.
    package let clearedAt: UnixMilliseconds?

    /// Alarms of cause `lossOfSignal` that were open within a period, by the time they were raised; found by an index of their ends.
    ///
    /// - Parameter scope: whose alarms.
    package static func list(
        in period: Range<UnixMilliseconds>, _ scope: NetworkScope, limit: Int, _ db: Database
    ) throws -> [StoredOutage] {
        let member = { (path: String) in "json_extract(text, '$.\(path)')" }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT alarm, plmn, coalesce(\(member("place[0].id")), ''),
                    coalesce(\(member("perceivedSeverity")), 'indeterminate'), outage_from, outage_to
                FROM (SELECT alarm, plmn, outage_from, outage_to, CAST(document AS TEXT) AS text
                    FROM alarms INDEXED BY alarm_outages
                    WHERE outage_from IS NOT NULL AND outage_to >= ? AND outage_from < ? AND \(AlarmStore.condition(scope))
                    ORDER BY outage_from, alarm LIMIT ?)
                ORDER BY outage_from, alarm
                """, arguments: [period.lowerBound, period.upperBound, limit]
        ).map { row in
            let end: UnixMilliseconds = row[5]
            return StoredOutage(
                alarm: row[0], plmn: PLMN(rawValue: row[1]), quadkey: row[2], severity: row[3], raisedAt: row[4],
                clearedAt: end == .max ? nil : end)
        }
    }
}
