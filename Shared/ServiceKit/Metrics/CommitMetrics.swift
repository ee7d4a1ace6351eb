/// The transactions of a service at `/metrics`: how many, how long, how many rows. Lock-free; from any thread.
public struct CommitMetrics: Sendable {
    private let seconds: Histogram
    private let rows: Histogram

    public init(_ metrics: Metrics) {
        seconds = metrics.latency("nkul_commit_seconds", "Duration of a transaction with its fsync.")
        rows = metrics.histogram(
            "nkul_commit_rows", "Rows that a transaction took in.",
            bounds: [0, 1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144])
    }

    /// Counts one transaction.
    public func count(rows: Int, took: Duration) {
        seconds.observe(took)
        self.rows.observe(Int64(rows))
    }
}
