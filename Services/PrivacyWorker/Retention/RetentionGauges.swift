internal import GRDB
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage

/// How retention stands, at `/metrics` and in the log. Usable from any thread.
final class RetentionGauges: Sendable {
    private let host: ServiceHost
    private let reader: ReadOnlyDatabase
    private let lastRun: Gauge
    private let late: Gauge
    private let overdue: [RetentionKind: Gauge]
    private let removed: [RetentionKind: Counter]

    init(_ host: ServiceHost, reader: ReadOnlyDatabase) {
        self.host = host
        self.reader = reader
        lastRun = host.metrics.gauge(
            "nkul_retention_last_run_timestamp_seconds",
            "When the last retention run was ordered that everybody has executed; 0 before the first.", divisor: 1_000)
        late = host.metrics.gauge(
            "nkul_retention_late", "Services that have executed no retention run of the last 24 hours and more.")
        func each<Figure>(_ make: (KeyValuePairs<String, String>) -> Figure) -> [RetentionKind: Figure] {
            Dictionary(uniqueKeysWithValues: RetentionKind.allCases.map { ($0, make(["kind": $0.rawValue])) })
        }
        overdue = each { labels in
            host.metrics.gauge(
                "nkul_retention_overdue", "1 if the last run left something that is older than it may be.",
                labels: labels)
        }
        removed = each { labels in
            host.metrics.counter(
                "nkul_retention_removed_total", "Records that services reported to be deleted since this start.",
                labels: labels)
        }
    }

    /// What the coordinator tells.
    var told: RetentionCoordinator.Told {
        RetentionCoordinator.Told(
            late: { [self] standing in
                host.logger.error(
                    "a retention run is late",
                    metadata: [
                        "order": "\(standing.order.order)", "missing": "\(standing.missing.joined(separator: " "))",
                    ])
            },
            overdue: { [self] service, kinds in
                for (kind, oldest) in kinds.sorted(by: { $0.key < $1.key }) {
                    host.logger.error(
                        "something is kept longer than it may be",
                        metadata: ["service": "\(service)", "kind": "\(kind)", "oldest_ms": "\(oldest)"])
                }
            },
            reported: { [self] report in
                guard !report.isDryRun else { return }
                for (kind, figures) in report.kinds {
                    RetentionKind(rawValue: kind).flatMap { removed[$0] }?.add(figures.removed)
                }
            })
    }

    /// Reads how it stands; about once a second.
    func look() {
        guard let standing = try? reader.read({ try RetentionLateness($0, now: host.clock.now()) }) else { return }
        lastRun.set(standing.lastRun ?? 0)
        late.set(Int64(standing.late.count))
        for (kind, gauge) in overdue { gauge.set(standing.overdue.contains(kind.rawValue) ? 1 : 0) }
    }
}

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
