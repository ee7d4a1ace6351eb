internal import Synchronization

/// Counts of observations per bucket, their number and their sum. Lock-free, from any thread.
public final class Histogram: Sendable {
    /// 50 µs … 10 s in nanoseconds.
    package static let latencyBounds: [Int64] = [
        50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000,
        100_000_000,
        200_000_000, 500_000_000, 1_000_000_000, 2_000_000_000, 5_000_000_000, 10_000_000_000,
    ]

    let bounds: [Int64]
    let divisor: Int64
    /// One a bucket and one for what is above the last bound.
    private let counts: [Counter]
    private let total = Counter()

    init(bounds: [Int64], divisor: Int64) {
        precondition(!bounds.isEmpty && zip(bounds, bounds.dropFirst()).allSatisfy(<), "bounds must rise")
        self.bounds = bounds
        self.divisor = divisor
        counts = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one observation, in the unit of the bounds.
    public func observe(_ value: Int64) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        counts[bucket].add()
        total.add(Int(value))
    }

    /// Counts one duration; for histograms of nanoseconds.
    public func observe(_ duration: Duration) {
        observe(duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000)
    }

    /// Observations up to each bound, and last all of them.
    var cumulative: [Int64] {
        var sum: Int64 = 0
        return counts.map {
            sum += $0.value
            return sum
        }
    }

    var sum: Int64 { total.value }
}

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
