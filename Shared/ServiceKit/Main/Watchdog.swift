import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Ends the process if the service has not stopped in time.
///
/// Last in its group, so that it is the first to hear that the program shall stop.
final class Watchdog: Service {
    private let limit: Duration
    private let logger: Logger
    private let isDismissed = Atomic(false)

    init(limit: Duration, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    func run() async throws {
        try? await gracefulShutdown()
        logger.info("stopping")
        // A thread of its own: the cooperative pool may be what hangs.
        Thread.detachNewThread { [self] in
            Thread.sleep(forTimeInterval: Double(limit.components.seconds))
            guard !isDismissed.load(ordering: .acquiring) else { return }
            logger.critical("not stopped in time, ending as it is", metadata: ["limit": "\(limit)"])
            _exit(1)
        }
    }

    /// The service has stopped.
    func dismiss() { isDismissed.store(true, ordering: .releasing) }
}
