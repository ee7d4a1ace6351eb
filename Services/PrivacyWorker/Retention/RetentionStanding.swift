internal import Models

/// An order, and who has executed it.
struct RetentionStanding: Sendable, Equatable {
    let order: RetentionOrderDocument
    /// When the last of those who keep something reported; nil until then.
    let completedAt: UnixMilliseconds?
    /// Whether somebody was told that it is late.
    let wasLate: Bool
    /// By service.
    let reports: [RetentionReportDocument]

    /// Services that keep something and have not reported.
    var missing: [String] { RetentionKind.keepers.subtracting(reports.map(\.service)).sorted() }

    /// Of everybody, by the kind's name.
    var figures: [String: RetentionFigures] {
        reports.reduce(into: [:]) { sums, report in sums.merge(report.kinds) { $0.merged(with: $1) } }
    }

    /// Kinds of which a service still has something that is older than the order's cut-off.
    func overdue(at report: RetentionReportDocument) -> [String: UnixMilliseconds] {
        report.kinds.compactMapValues(\.oldest).filter { kind, oldest in
            RetentionKind(rawValue: kind).flatMap { order.cutoff(of: $0) }.map { oldest < $0 } ?? false
        }
    }
}
