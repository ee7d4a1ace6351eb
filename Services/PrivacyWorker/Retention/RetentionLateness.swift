internal import GRDB
internal import Models

/// What is wrong with retention at a moment, for figures.
struct RetentionLateness: Equatable {
    /// When the last run was ordered that everybody has executed; nil before the first.
    let lastRun: UnixMilliseconds?
    /// Services that have executed no run since the last one that they had a day for.
    let late: Set<String>
    /// Kinds of which a service said in its last report that it has what should be gone.
    let overdue: Set<String>

    init(_ db: Database, now: UnixMilliseconds) throws {
        lastRun = try UnixMilliseconds.fetchOne(
            db,
            sql: "SELECT max(issued_at) FROM retention_orders WHERE is_dry_run = 0 AND completed_at IS NOT NULL")
        let had = try UnixMilliseconds.fetchOne(
            db, sql: "SELECT max(issued_at) FROM retention_orders WHERE is_dry_run = 0 AND issued_at <= ?",
            arguments: [now - RetentionOrders.patience])
        let newest = try RetentionOrders(db).newest(limit: 3, isDryRun: false)
        late =
            had.map { had in
                RetentionKind.keepers.subtracting(
                    newest.filter { $0.order.issuedAt >= had }.flatMap { $0.reports.map(\.service) })
            } ?? []
        var seen: Set<String> = [], overdue: Set<String> = []
        for standing in newest {
            for report in standing.reports where seen.insert(report.service).inserted {
                overdue.formUnion(standing.overdue(at: report).keys)
            }
        }
        self.overdue = overdue
    }
}
