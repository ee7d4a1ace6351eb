internal import Synchronization

/// A bounded number of things at once; more are refused, not queued. Thread-safe.
final class Permits: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// - Throws: ``Problem/busy`` if all are taken.
    func take() throws(Problem) {
        let isFree = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        guard isFree else { throw .busy }
    }

    func giveBack() { taken.withLock { $0 -= 1 } }
}
