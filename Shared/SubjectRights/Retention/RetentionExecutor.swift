public import GRDB
public import Lanes
public import Models
public import Storage
internal import Wire

/// Executes retention orders in one service: looks at what it keeps in bounded slices, removes what is too old, has journals
/// swept and write-ahead logs emptied, and reports. In that order, whatever crashes.
///
/// One order at a time, a real one before a dry run; the newest of each sort takes the place of the one before. Confined to the
/// thread of the service's engine.
public final class RetentionExecutor {
    /// Milliseconds until journals and logs that were not clean are looked at again.
    private static let pause: UnixMilliseconds = 1_000
    private let service: String
    private let lane: LaneName?
    private let database: ServiceDatabase
    private let journals: [Journal]
    private let kinds: [any RetainedKind]
    private var run: RetentionRun?
    /// There may be an order to execute.
    private var hasWork: Bool
    private var isInTick = false
    private var didRemove = false
    private var asksAgainAt: UnixMilliseconds?
    private var pace: SliceThrottle
    /// What the last tick reported.
    private var reported: [RetentionOutcome] = []

    /// - Parameters:
    ///   - service: by the name of its program without `nkul-`.
    ///   - lane: where reports go; nil for a part of a service, which only says that it has done its part.
    ///   - database: of the service; it must be the one of the journals.
    ///   - journals: of the state lanes that superseded records go from when their keys were removed.
    ///   - kinds: what the service keeps, in the order in which it is looked at.
    ///   - stopwatch: for the rests between slices; a constant makes runs repeatable.
    public init(
        service: String, reportsOn lane: LaneName?, database: ServiceDatabase, journals: [Journal],
        kinds: [any RetainedKind], stopwatch: @escaping () -> ContinuousClock.Instant = { .now }
    ) throws {
        pace = SliceThrottle(stopwatch: stopwatch)
        self.service = service
        self.lane = lane
        self.database = database
        self.journals = journals
        self.kinds = kinds
        hasWork = try database.write { db in
            try RetentionStore.createTables(db)
            return try RetentionStore(db).next() != nil
        }
    }

    /// So many rows have come that are none of an order's business; while they do, slices are followed by rests.
    public func came(_ rows: Int, now: UnixMilliseconds) { pace.came(rows, now: now) }

    /// An order; heard again, it changes nothing.
    ///
    /// - Parameter parts: what another part of the service did of it, by the kind's name.
    public func hear(
        _ order: RetentionOrderDocument, parts: [String: RetentionFigures] = [:], _ db: Database
    ) throws {
        if try RetentionStore(db).add(order, parts: parts) { hasWork = true }
    }

    /// Orders that were executed here, the last of each sort, for who missed it.
    public static func done(_ db: Database) throws -> [RetentionOutcome] {
        try db.tableExists("retention_work") ? RetentionStore(db).reported() : []
    }

    /// What the last tick reported, once; to be asked after the commit.
    public func takeReported() -> [RetentionOutcome] {
        defer { reported = [] }
        return reported
    }

    /// When ``tick(in:)`` is to be called.
    public var nextTick: UnixMilliseconds? {
        guard hasWork else { return nil }
        return run?.phase == .cleaning ? asksAgainAt ?? 0 : pace.nextSlice
    }

    /// One bounded piece of work; true if it did anything.
    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        // The step of the last tick was not committed: what it changed here is not so.
        if isInTick { (run, didRemove) = (nil, false) }
        isInTick = true
        reported = []
        pace.began()
        let store = RetentionStore(transaction.db)
        guard let work = try store.next() else {
            (run, hasWork) = (nil, false)
            return false
        }
        var run = self.run.flatMap { $0.order == work.order ? $0 : nil } ?? begin(work)
        let isWaiting = run.phase == .cleaning
        switch run.phase {
        case .looking: try look(&run, store, in: &transaction)
        case .cleaning, .reported: break
        case .clean: try report(&run, store.counts(), store, transaction.now, &transaction.emit)
        }
        self.run = run.phase == .reported ? nil : run
        return !isWaiting
    }

    /// After the commit of a step.
    public func committed(now: UnixMilliseconds) throws {
        isInTick = false
        if didRemove {
            didRemove = false
            for kind in kinds { try kind.committed() }
        }
        pace.ended(now: now)
        guard run?.phase == .cleaning, now >= asksAgainAt ?? now else { return }
        let areSwept = journals.allSatisfy { !$0.isSweeping }
        let isClean = try areSwept && kinds.allSatisfy { try $0.truncateLogs() } && database.truncateLog()
        if isClean { run?.phase = .clean }
        asksAgainAt = isClean ? nil : now + Self.pause
    }

    private func begin(_ work: RetentionStore.Work) -> RetentionRun {
        asksAgainAt = nil
        // Of a process before that was about to clean nobody remembers what it had asked of the journals.
        if work.state == .removed { for journal in journals { journal.sweep() } }
        return RetentionRun(work, kinds)
    }

    private func look(
        _ run: inout RetentionRun, _ store: RetentionStore, in transaction: inout EffectTransaction
    ) throws {
        let db = transaction.db
        guard let kind = run.kinds.first, let before = run.order.cutoff(of: kind.kind) else {
            return try endLooking(&run, store, transaction.now, &transaction.emit)
        }
        let look = try kind.look(before: before, after: run.mark, limit: kind.itemsAtOnce, db)
        if !look.items.isEmpty { try take(look.items, of: kind, &run, store, in: &transaction) }
        run.oldestKept = [run.oldestKept, look.oldestKept].compactMap(\.self).min()
        if let next = look.next { return run.mark = next }
        if run.order.isDryRun {
            run.counts[kind.kind.rawValue] = run.counts[kind.kind.rawValue] ?? RetentionFigures()
        } else {
            try store.note(
                oldest: [run.oldestKept, try kind.oldest(db)].compactMap(\.self).min(), of: kind.kind)
        }
        run.kinds.removeFirst()
        (run.mark, run.oldestKept) = (.start, nil)
    }

    /// Removes what was found, or only counts it.
    private func take(
        _ items: [RetainedItem], of kind: any RetainedKind, _ run: inout RetentionRun, _ store: RetentionStore,
        in transaction: inout EffectTransaction
    ) throws {
        let figures = RetentionFigures(
            removed: items.reduce(0) { $0 + $1.records }, bytes: items.reduce(0) { $0 + $1.bytes })
        if run.order.isDryRun {
            run.counts[kind.kind.rawValue] =
                run.counts[kind.kind.rawValue]?.merged(with: figures) ?? figures
        } else {
            try kind.remove(items, in: &transaction)
            try store.count(figures, of: kind.kind)
            didRemove = true
        }
    }

    /// Everything was looked at. What a real run has removed must go from journals and logs before it is reported.
    private func endLooking(
        _ run: inout RetentionRun, _ store: RetentionStore, _ now: UnixMilliseconds, _ emit: inout Emission
    ) throws {
        if run.order.isDryRun { return try report(&run, run.counts, store, now, &emit) }
        let counts = try store.counts()
        guard counts.values.contains(where: { $0.removed > 0 }) else {
            return try report(&run, counts, store, now, &emit)
        }
        try store.setRemoved(run.order)
        for journal in journals { journal.sweep() }
        run.phase = .cleaning
    }

    private func report(
        _ run: inout RetentionRun, _ counts: [String: RetentionFigures], _ store: RetentionStore,
        _ now: UnixMilliseconds, _ emit: inout Emission
    ) throws {
        let report = RetentionReportDocument(
            order: run.order.order, isDryRun: run.order.isDryRun, service: service, finishedAt: now,
            kinds: counts.merging(run.parts) { $0.merged(with: $1) })
        if let lane {
            try emit.append(to: lane, kind: .retentionReport, columns: .documents([(report.key, report)]))
        }
        try store.setReported(report, of: run.order)
        reported.append(RetentionOutcome(order: run.order, report: report))
        run.phase = .reported
    }
}
