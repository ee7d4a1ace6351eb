internal import ServiceKit
internal import Storage

/// How requests for access stand, at `/metrics`.
final class AccessFigures: Sendable {
    private let reader: ReadOnlyDatabase
    private let clock: WallClock
    private let open: Gauge
    private let completed: Gauge
    private let oldest: Gauge

    init(_ host: ServiceHost, reader: ReadOnlyDatabase) {
        self.reader = reader
        clock = host.clock
        open = host.metrics.gauge("nkul_access_open", "Requests for access that are not answered yet.")
        completed = host.metrics.gauge("nkul_access_completed", "Answers to requests for access that can be fetched.")
        oldest = host.metrics.gauge(
            "nkul_access_oldest_seconds", "Age of the oldest request for access that is not answered.", divisor: 1_000)
    }

    /// Reads how they stand; about once a second.
    func look() {
        guard let figures = try? reader.read({ try AccessRequests($0).figures(now: clock.now()) }) else { return }
        open.set(Int64(figures.open))
        completed.set(Int64(figures.completed))
        oldest.set(figures.oldest ?? 0)
    }
}
