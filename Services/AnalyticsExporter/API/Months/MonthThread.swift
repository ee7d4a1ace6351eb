internal import Dispatch
package import ExporterStores
package import Logging
package import ServiceKit
internal import Storage
internal import Synchronization

/// Makes the sums of months that are due, on a thread of its own that gets the time that nobody else wants.
///
/// `@unchecked Sendable`: only ``start()`` and ``stop()`` may be called from other threads than the one that works.
package final class MonthThread: @unchecked Sendable {
    /// How often it looks; seconds.
    private static let pause = 60

    private let maker: MonthMaker
    private let freshness: Freshness
    private let logger: Logger
    private let failures, made: Counter
    private let isStopped = Atomic<Bool>(false)
    private let isStarted = Atomic<Bool>(false)
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ maker: MonthMaker, freshness: Freshness, metrics: Metrics, logger: Logger) {
        (self.maker, self.freshness, self.logger) = (maker, freshness, logger)
        failures = metrics.counter(
            "nkul_month_failures_total", "Sums of months that could not be made; the log says why.")
        made = metrics.counter("nkul_months_made_total", "Months whose sums were made, those made anew too.")
    }

    package func start() {
        isStarted.store(true, ordering: .relaxed)
        WorkThread.start("months", niceness: 19) { [self] in
            defer { ended.signal() }
            while !isStopped.load(ordering: .relaxed) {
                do {
                    if try step() { continue }
                } catch let error as ControlError where error.code == ControlError.stopping {
                    return
                } catch {
                    failures.add()
                    logger.error("sums of a month were not made", metadata: ["error": "\(error)"])
                }
                _ = signal.wait(timeout: .now() + .seconds(Self.pause))
            }
        }
    }

    /// Ends it. To be called when the queue of changes is closed.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        signal.signal()
        if isStarted.load(ordering: .relaxed) { ended.wait() }
    }

    /// Makes the next month; false if none is due.
    package func step() throws -> Bool {
        guard let moment = freshness.completeTo(.statistics) else { return false }
        let isMade = try maker.next(completeTo: moment) { !isStopped.load(ordering: .relaxed) }
        if isMade { made.add() }
        return isMade
    }
}
