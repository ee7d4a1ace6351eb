internal import Crypto
internal import Dispatch
internal import GRDB
internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import Synchronization

/// Makes the files of exports that are due, one after another, on a thread of its own that gets the time that nobody else wants.
///
/// New hours first, from the oldest on; then those that have become stale, when they have been for a while, so that erasures
/// that follow each other cost one rewriting. What it finds out is entered in the engine's transactions (`OperationsDesk`).
/// `@unchecked Sendable`: only ``start()``, ``stop()`` and ``waiting`` may be called from other threads than the one that works.
final class ExportWorkshop: @unchecked Sendable {
    /// How long a file may be stale before it is made anew.
    static let settling: UnixMilliseconds = 10_000
    /// How often it looks by itself, and how long it leaves a disk in peace that has failed.
    private static let pause = (idle: 10, failed: 60)
    /// How long files are made for a tenant that does not ask for them any more: 30 days.
    private static let patience: UnixMilliseconds = 30 * 86_400_000

    private let shelf: ExportShelf
    private let state: ReadOnlyDatabase
    private let desk: OperationsDesk
    private let key: ExportKey
    private let days: Int64
    private let clock: WallClock
    /// Who asks is people, whose time no recording changes.
    private let systemClock: WallClock
    private let logger: Logger
    private let metrics: ExportMetrics
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isStopped = Atomic<Bool>(false)
    private let isStarted = Atomic<Bool>(false)
    private lazy var maker = ExportMaker(shelf, rows, pseudonymKey: pseudonymKey) { [unowned self] in
        !isStopped.load(ordering: .relaxed)
    }
    private let rows: RawRowFiles.Opener
    private let pseudonymKey: SymmetricKey

    /// - Parameters:
    ///   - state: a connection of its own to the exporter's database.
    ///   - days: how many whole days files are kept; 0 makes none.
    init(
        _ shelf: ExportShelf, rows: RawRowFiles.Opener, state: ReadOnlyDatabase, desk: OperationsDesk,
        pseudonymKey: SymmetricKey, key: ExportKey, days: Int, clock: WallClock, systemClock: WallClock,
        metrics: ExportMetrics, logger: Logger
    ) {
        (self.shelf, self.rows, self.state, self.desk, self.pseudonymKey) = (shelf, rows, state, desk, pseudonymKey)
        (self.key, self.days, self.clock, self.systemClock) = (key, Int64(days), clock, systemClock)
        (self.metrics, self.logger) = (metrics, logger)
    }

    func start() {
        isStarted.store(true, ordering: .relaxed)
        shelf.wake { [signal] in signal.signal() }
        WorkThread.start("exports", niceness: 19) { [self] in
            defer { ended.signal() }
            while !isStopped.load(ordering: .relaxed) {
                var pause = Self.pause.idle
                do {
                    if try step() { continue }
                } catch {
                    guard !isStopped.load(ordering: .relaxed) else { return }
                    metrics.failures.add()
                    logger.error("an export was not made", metadata: ["error": "\(error)"])
                    pause = Self.pause.failed
                }
                _ = signal.wait(timeout: .now() + .seconds(pause))
            }
        }
    }

    /// Ends it; nothing unfinished is left when it returns. To be called when the desk is closed.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        signal.signal()
        if isStarted.load(ordering: .relaxed) { ended.wait() }
    }

    /// Does the next thing that is due; false if nothing is, or what was made did not hold.
    func step() throws -> Bool {
        let now = clock.now(), days = rows.index.current.map(\.day)
        let limits = ExportOrders.Limits(
            floor: ExportOrders.floor(days: self.days, now: now), closed: shelf.closed,
            asked: systemClock.now() - Self.patience, settled: now - Self.settling)
        // Nobody has said yet how far everything has come.
        guard limits.closed > 0 else { return false }
        let orders = try state.read { try ExportOrders($0, limits, rawDays: days) }
        metrics.show(orders)
        switch orders.next {
        case nil: return false
        case .expire: return try expire(limits)
        case .hour(let hour, let tenant): return try make(hour, of: tenant, now: now)
        case .day(let hours): return try maker.make(dayOf: hours, now: now).map(enter) ?? false
        }
    }

    private func expire(_ limits: ExportOrders.Limits) throws -> Bool {
        try desk.submitWaiting { [shelf] db, _ in
            try ExportStore.expire(before: limits.floor, asked: limits.asked, db)
            shelf.noteWaste()
            return (true, [])
        }
    }

    private func make(_ hour: Int64, of tenant: Tenant, now: UnixMilliseconds) throws -> Bool {
        let ticket = shelf.begin(hour), result: Bool
        do { result = try maker.make(hour, of: tenant, ticket, now: now).map(enter) ?? false } catch {
            try? shelf.end()
            throw error
        }
        try shelf.end()
        return result
    }

    /// - Returns: false if it is not what it should be any more.
    private func enter(_ draft: ExportDraft) throws -> Bool {
        let isIn = try desk.submitWaiting { [shelf, key] db, now in
            let isIn = try shelf.enter(draft, now: now, db)
            let isNew = try isIn && ExportStore.announce(key: key.id, db)
            return (isIn, isNew ? [try key.record(since: now)] : [])
        }
        if isIn { metrics.made(draft.export) }
        return isIn
    }
}
