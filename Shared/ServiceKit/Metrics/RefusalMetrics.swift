import Synchronization

/// Counts refusals by reason as `nkul_refused_total{reason="…"}`. Thread-safe.
///
/// Reasons are the stable codes of problem documents: a fixed set, never text from outside.
public final class RefusalMetrics: Sendable {
    private let metrics: Metrics
    private let counters = Mutex<[String: Counter]>([:])

    public init(_ metrics: Metrics) {
        self.metrics = metrics
        metrics.declareRefusals()
    }

    /// Counts one refusal.
    public func count(_ reason: String) {
        counters.withLock { counters in
            if let known = counters[reason] { return known }
            let new = metrics.refusals(reason)
            counters[reason] = new
            return new
        }.add()
    }
}

extension Metrics {
    func declareRefusals() {
        declare(.counter, "nkul_refused_total", "Requests that were refused, by reason.")
    }
}
