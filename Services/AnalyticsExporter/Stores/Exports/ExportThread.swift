package import ExporterOperations
package import Logging
package import ServiceKit

/// Makes the files of exports that are due, one after another, on a thread of its own that gets the time that nobody else wants.
///
/// `@unchecked Sendable`: all members but `jobs` are. Only ``step()`` uses `jobs`, on the one thread that works; ``start()`` reads its
/// shelf, which any thread may use, before that thread is there.
package final class ExportThread: @unchecked Sendable {
    /// How often it looks by itself, and how long it leaves a disk in peace that has failed; seconds.
    private static let pause = (idle: 10, failed: 60)

    private let jobs: ExportJobs
    private let changes: ChangeQueue
    private let clock: WallClock
    /// Who asks is people, whose time no recording changes.
    private let systemClock: WallClock
    private let logger: Logger
    private let metrics: ExportMetrics
    private let thread = BackgroundThread("exports")

    package init(
        _ jobs: ExportJobs, changes: ChangeQueue, clock: WallClock, systemClock: WallClock, metrics: ExportMetrics,
        logger: Logger
    ) {
        (self.jobs, self.changes, self.clock, self.systemClock) = (jobs, changes, clock, systemClock)
        (self.metrics, self.logger) = (metrics, logger)
    }

    package func start() {
        jobs.shelf.wake { [thread] in thread.wake() }
        thread.start(pause: Self.pause) { [self] in
            try step()
        } failed: { [metrics, logger] error in
            metrics.failures.add()
            logger.error("an export was not made", metadata: ["error": "\(error)"])
        }
    }

    /// Ends it; nothing unfinished is left when it returns. To be called when the queue of changes is closed.
    package func stop() { thread.stop() }

    /// Does the next thing that is due; false if nothing is, or what was made did not hold.
    func step() throws -> Bool {
        let job = try jobs.next(now: clock.now(), systemNow: systemClock.now()) { thread.goesOn }
        metrics.show(jobs.orders)
        guard let job else { return false }
        let isDone: Bool
        do { isDone = try changes.submitWaiting(job.change) } catch {
            try? jobs.end()
            throw error
        }
        try jobs.end()
        if isDone, let export = job.export { metrics.made(export) }
        return isDone
    }
}

/// Figures of exports at `/metrics`. Usable from any thread.
package struct ExportMetrics: Sendable {
    let failures: Counter
    private let made: Counter
    private let rows: Counter
    private let waiting: Gauge
    private let stale: Gauge

    package init(_ metrics: Metrics) {
        failures = metrics.counter("nkul_export_failures_total", "Exports that could not be made; the log says why.")
        made = metrics.counter("nkul_exports_made_total", "Files of exports that were made, those made anew too.")
        rows = metrics.counter("nkul_export_rows_total", "Raw rows in files of hours that were made.")
        waiting = metrics.gauge("nkul_exports_waiting", "Files of exports that are to be made for the first time.")
        stale = metrics.gauge(
            "nkul_exports_stale", "Files of exports whose rows have changed and that are to be made anew.")
    }

    func show(_ orders: ExportOrders) {
        waiting.set(Int64(orders.waiting))
        stale.set(Int64(orders.stale))
    }

    func made(_ export: StoredExport) {
        made.add()
        if export.span.content == .reports, export.span.period == .hour { rows.add(export.rows) }
    }
}
