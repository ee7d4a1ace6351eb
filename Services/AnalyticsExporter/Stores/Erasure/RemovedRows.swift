package import GRDB
package import Models

/// Raw rows of one day of reception that a tenant could have downloaded, and that were erased.
package struct RemovedRows: Sendable {
    /// The UTC day on which they were received.
    package let day: String
    package let rows: Int64
    /// When they were captured, both ends included.
    package let captured: ClosedRange<UnixMilliseconds>

    /// Those of a tenant that were captured within a period, by day, as its notices tell.
    package static func list(
        of tenant: Int64, in period: Range<UnixMilliseconds>, limit: Int, _ db: Database
    ) throws -> [RemovedRows] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT day, sum(rows), min(captured_from), max(captured_to) FROM erasure_notices
                WHERE tenant = ? AND published_at IS NOT NULL AND captured_to >= ? AND captured_from < ?
                GROUP BY day ORDER BY day LIMIT ?
                """, arguments: [tenant, period.lowerBound, period.upperBound, limit]
        ).map { RemovedRows(day: $0[0], rows: $0[1], captured: ($0[2] as Int64)...max($0[2] as Int64, $0[3])) }
    }
}
