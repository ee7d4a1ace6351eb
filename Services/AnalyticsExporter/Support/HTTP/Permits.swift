package import ServiceKit
internal import Synchronization

/// A bounded number of things at once; more are refused, not queued. Thread-safe.
package final class Permits: Sendable {
    private let limit: Int
    private let taken = Mutex(0)
    private let refused: Counter

    /// A number that is shown as the depth of a queue of requests.
    package init(_ limit: Int, _ name: String, _ metrics: Metrics) {
        self.limit = limit
        refused = metrics.queueRefusals(name)
        metrics.queue(name, unit: "requests", limit: limit) { [weak self] in self?.taken.withLock { $0 } ?? 0 }
    }

    /// - Throws: ``ExporterAPIError/busy`` if all are taken.
    package func take() throws(ExporterAPIError) {
        let isFree = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        guard isFree else {
            refused.add()
            throw .busy
        }
    }

    package func giveBack() { taken.withLock { $0 -= 1 } }

    /// Takes one that is given back when the seat is released.
    ///
    /// - Throws: ``ExporterAPIError/busy`` if all are taken.
    package func seat() throws(ExporterAPIError) -> Seat {
        try take()
        return Seat(self)
    }

    /// A permit that is held by the body of a response, sent or not.
    package final class Seat: Sendable {
        private let permits: Permits

        fileprivate init(_ permits: Permits) { self.permits = permits }

        deinit { permits.giveBack() }
    }
}
