internal import ExporterOperations
package import ExporterStores
package import Logging
package import ServiceKit

/// Makes the sums of months that are due, on a thread of its own that gets the time that nobody else wants.
///
/// `@unchecked Sendable`: all members but `maker` are, and only ``step()`` uses `maker`, on the one thread that works.
package final class MonthThread: @unchecked Sendable {
    /// How often it looks, and how long it waits after a failure; seconds.
    private static let pause = (idle: 60, failed: 60)

    private let maker: MonthMaker
    private let freshness: Freshness
    private let logger: Logger
    private let failures, made: Counter
    private let thread = BackgroundThread("months")

    package init(_ maker: MonthMaker, freshness: Freshness, metrics: Metrics, logger: Logger) {
        (self.maker, self.freshness, self.logger) = (maker, freshness, logger)
        failures = metrics.counter(
            "nkul_month_failures_total", "Sums of months that could not be made; the log says why.")
        made = metrics.counter("nkul_months_made_total", "Months whose sums were made, those made anew too.")
    }

    package func start() {
        thread.start(pause: Self.pause) { [self] in
            try step()
        } failed: { [failures, logger] error in
            failures.add()
            logger.error("sums of a month were not made", metadata: ["error": "\(error)"])
        }
    }

    /// Ends it. To be called when the queue of changes is closed.
    package func stop() { thread.stop() }

    /// Makes the next month; false if none is due.
    package func step() throws -> Bool {
        guard let moment = freshness.completeTo(.statistics) else { return false }
        let isMade = try maker.next(completeTo: moment) { thread.goesOn }
        if isMade { made.add() }
        return isMade
    }
}
