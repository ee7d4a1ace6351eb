internal import Models

/// How long to wait after a try without an answer: half a minute, doubled with each further one up to an hour, and a quarter more
/// or less, so that phones that lost the service together do not come back together.
struct RetryPause: Codable, Sendable, Equatable {
    private(set) var failures = 0
    /// Not before this time, steady milliseconds.
    private(set) var until: Int64 = 0

    static let shortest: Int64 = 30_000
    static let longest: Int64 = 3_600_000

    /// A try failed.
    mutating func fail(at time: Int64, _ random: inout SplitMix64) {
        let pause = min(Self.longest, Self.shortest << Int64(min(failures, 7)))
        failures += 1
        until = time + pause * 3 / 4 + random.below(pause / 2)
    }

    /// What it failed for is mended, as when the network is back: it is worth a try at once.
    mutating func hurry() { until = 0 }

    /// As ``hurry()`` after the first failure; further ones in a row wait.
    mutating func hurryOnce() {
        if failures == 1 { hurry() }
    }
}
