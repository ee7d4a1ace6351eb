package import ExporterSupport
internal import Foundation
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

    /// Alarms of cause `lossOfSignal` that were open within a period, by the time they were raised.
    ///
    /// - Parameter scope: whose alarms.
    package static func list(
        in period: Range<UnixMilliseconds>, _ scope: NetworkScope, limit: Int, _ db: Database
    ) throws -> [StoredOutage] {
        let from = Timestamp.text(period.lowerBound), to = Timestamp.text(period.upperBound)
        let member = { (path: String) in "json_extract(text, '$.\(path)')" }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT alarm, plmn, coalesce(\(member("place[0].id")), ''), \(member("perceivedSeverity")),
                    \(member("alarmRaisedTime")), \(member("alarmClearedTime"))
                FROM (SELECT alarm, plmn, serving, CAST(document AS TEXT) AS text FROM alarms)
                WHERE \(AlarmStore.condition(scope)) AND \(member("probableCause")) = 'lossOfSignal'
                    AND \(member("alarmRaisedTime")) < ? AND coalesce(\(member("alarmClearedTime")), ?) >= ?
                ORDER BY 5, 1 LIMIT ?
                """, arguments: [to, to, from, limit])
        return rows.compactMap { row in
            guard let raisedAt = milliseconds(row[4]) else { return nil }
            return StoredOutage(
                alarm: row[0], plmn: PLMN(rawValue: row[1]), quadkey: row[2], severity: row[3] ?? "indeterminate",
                raisedAt: raisedAt, clearedAt: milliseconds(row[5]))
        }
    }

    private static func milliseconds(_ text: String?) -> UnixMilliseconds? {
        guard let text else { return nil }
        let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return date.map { UnixMilliseconds(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }
}
