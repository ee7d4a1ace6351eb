/// How fast a token bucket fills and how much it holds, in the terms of the generic cell rate algorithm (``BucketTable``).
///
/// Times are units of 1/1024 ms, in which a token a minute and 600 000 a minute are both exact enough (within 1 %).
struct BucketRate: Sendable, Equatable {
    static let unitsOfAMillisecond: Int64 = 1_024
    /// No debt is longer: 30 days.
    static let longestDebt: Int64 = 30 * 86_400_000 * unitsOfAMillisecond

    /// Between two tokens (T, the emission interval); 0: no limit.
    let interval: Int64
    /// How far a bucket may be ahead of time and still give (τ, the tolerance): (burst − 1) · T.
    let tolerance: Int64

    /// - Parameters:
    ///   - perMinute: tokens that come in a minute; 0: no limit.
    ///   - burst: tokens of a full bucket, at least 1.
    init(perMinute: Int, burst: Int) {
        interval = perMinute > 0 ? 60_000 * Self.unitsOfAMillisecond / Int64(perMinute) : 0
        tolerance = Self.time(of: max(0, burst - 1), interval)
    }

    /// What so many tokens take to come.
    func time(of tokens: Int) -> Int64 { Self.time(of: tokens, interval) }

    private static func time(of tokens: Int, _ interval: Int64) -> Int64 {
        let (time, isOver) = Int64(tokens).multipliedReportingOverflow(by: interval)
        return isOver ? longestDebt : min(time, longestDebt)
    }
}
