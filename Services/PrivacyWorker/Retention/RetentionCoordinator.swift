internal import GRDB
internal import Lanes
internal import Models
internal import QoE
internal import SubjectRights
internal import Wire

/// Gives retention orders, once a day and when an operator wants one, keeps what services report, and writes the audit log: in
/// the transaction of a step. Executes its own part.
///
/// Confined to the thread of the privacy worker's effects.
final class RetentionCoordinator {
    /// Told after a commit, on the engine's thread.
    struct Told {
        var late: (RetentionStanding) -> Void = { _ in }
        /// A service still has what should be gone: by the kind's name, the time of the oldest.
        var overdue: (_ service: String, [String: UnixMilliseconds]) -> Void = { _, _ in }
        var reported: (RetentionReportDocument) -> Void = { _ in }
    }

    private static let name = "privacy-worker"
    private let policy: RetentionPolicy?
    private let executor: RetentionExecutor
    private let requests: RetentionRunRequests
    private let told: Told
    private var next: UnixMilliseconds?
    /// What is told, and who is answered, once the transaction is committed.
    private var fulfilled: [(RetentionRunRequests.Request, String)] = []
    private var news: [() -> Void] = []

    /// - Parameters:
    ///   - policy: nil gives no orders.
    ///   - executor: the privacy worker's own.
    init(_ policy: RetentionPolicy?, executor: RetentionExecutor, requests: RetentionRunRequests, told: Told) {
        self.policy = policy
        self.executor = executor
        self.requests = requests
        self.told = told
        // What is due is found out by the first tick.
        next = policy == nil ? nil : 0
    }

    var nextTick: UnixMilliseconds? {
        requests.isEmpty ? [next, executor.nextTick].compactMap(\.self).min() : 0
    }

    func tick(_ audit: inout AuditWriter, in transaction: inout EffectTransaction) throws -> Bool {
        var did = try fulfilRequests(transaction.now, &audit, transaction.db, &transaction.emit)
        if let next, next <= transaction.now {
            did = try lookAtClock(transaction.now, &audit, transaction.db, &transaction.emit) || did
        }
        guard let due = executor.nextTick, due <= transaction.now else { return did }
        did = try executor.tick(in: &transaction) || did
        for outcome in executor.takeReported() { try take(outcome.report, &audit, transaction.db) }
        return did
    }

    /// Reports of a block of kind `retention_report`; a service reports for itself only.
    func take(
        reports columns: Columns, of writer: String, _ audit: inout AuditWriter, _ db: Database
    ) throws {
        for (_, report) in try columns.documents(RetentionReportDocument.self) where report.service == writer {
            try take(report, &audit, db)
        }
    }

    func committed(now: UnixMilliseconds) throws {
        try executor.committed(now: now)
        for (request, order) in fulfilled { requests.fulfil(request, by: order) }
        for tell in news { tell() }
        (fulfilled, news) = ([], [])
    }

    private func fulfilRequests(
        _ now: UnixMilliseconds, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission
    ) throws -> Bool {
        guard let policy, !requests.isEmpty else { return false }
        for request in requests.take() {
            let order = policy.order(at: now, isDryRun: request.isDryRun, source: .operatorAdmin)
            try give(order, &audit, db, &emit)
            fulfilled.append((request, order.order))
        }
        return true
    }

    /// Gives the day's order if its time has come, and tells of those that are late.
    private func lookAtClock(
        _ now: UnixMilliseconds, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission
    ) throws -> Bool {
        guard let policy else { return false }
        let orders = RetentionOrders(db)
        try orders.begin(at: now)
        var did = false
        if try nextRun(policy, orders, now) <= now {
            try give(policy.order(at: now, isDryRun: false, source: .schedule), &audit, db, &emit)
            did = true
        }
        for standing in try orders.takeLate(now: now) {
            try note(
                "retention.late", Self.name,
                LateDetail(order: standing.order.order, missing: standing.missing), &audit)
            news.append { [told] in told.late(standing) }
            did = true
        }
        next = min(try nextRun(policy, orders, now), try orders.nextLate() ?? .max)
        return did
    }

    /// A clock that was set back does not put the next run off for longer than a day.
    private func nextRun(
        _ policy: RetentionPolicy, _ orders: RetentionOrders, _ now: UnixMilliseconds
    ) throws -> UnixMilliseconds {
        policy.schedule.next(after: min(try orders.lastScheduled() ?? now, now))
    }

    private func give(
        _ order: RetentionOrderDocument, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission
    ) throws {
        let orders = RetentionOrders(db)
        // Two requests of one moment are one.
        guard try orders.order(order.order) == nil else { return }
        try orders.add(order)
        next = 0
        try emit.append(to: .privacy, kind: .retentionOrder, columns: .documents([(order.key, order)]))
        try executor.hear(order, db)
        try note("retention.ordered", order.source == .schedule ? Self.name : order.source.rawValue, order, &audit)
    }

    private func take(_ report: RetentionReportDocument, _ audit: inout AuditWriter, _ db: Database) throws {
        let orders = RetentionOrders(db)
        guard let known = try orders.order(report.order), try orders.add(report) else { return }
        try note("retention.executed", report.service, report, &audit)
        news.append { [told] in told.reported(report) }
        let standing = RetentionStanding(
            order: known.order, completedAt: nil, wasLate: known.wasLate, reports: known.reports + [report])
        if standing.missing.isEmpty { try orders.complete(report.order, at: report.finishedAt) }
        let overdue = standing.overdue(at: report)
        guard !report.isDryRun, !overdue.isEmpty else { return }
        try note(
            "retention.overdue", report.service, OverdueDetail(order: report.order, oldest_ms: overdue), &audit)
        news.append { [told] in told.overdue(report.service, overdue) }
    }

    private struct LateDetail: Encodable {
        let order: String
        let missing: [String]
    }

    private struct OverdueDetail: Encodable {
        let order: String
        let oldest_ms: [String: UnixMilliseconds]
    }

    private func note(
        _ action: String, _ actor: String, _ detail: some Encodable, _ audit: inout AuditWriter
    ) throws {
        try audit.append(actor: actor, action: action, subject: [], detail: SortedJSON.text(of: detail))
    }
}
