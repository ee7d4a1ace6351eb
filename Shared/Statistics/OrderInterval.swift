/// The 95 % interval of a quantile, from order statistics: no assumption about how values are distributed.
///
/// Of n independent values, the number below the q-quantile is binomial. The interval runs from the l-th to the u-th value, with the
/// largest l for which P(B < l) ≤ 2.5 % and the smallest u for which P(B ≥ u) ≤ 2.5 % (David and Nagaraja, Order Statistics, 3rd
/// edition, 7.1). Values of one device are not independent, so n is ``DeviceCap/effectiveDevices(_:threshold:)``, rounded down.
public struct OrderInterval: Equatable, Sendable {
    /// Of so many values there is no interval of a median.
    public static let fewest = 6

    /// n.
    public let count: Int
    /// l and u, 1…n.
    public let ranks: ClosedRange<Int>

    /// - Parameters:
    ///   - count: n, rounded down here.
    ///   - permille: q in thousandths, 1…999.
    /// - Returns: nil where n values are too few for an interval of this quantile with two ends.
    public init?(count: Double, permille: Int) {
        guard count.isFinite, count >= Double(Self.fewest), (1...999).contains(permille) else { return nil }
        let count = Int(min(count, 1e9))
        // The quantile from the other end of the values is that of 1 − q.
        let isUpper = permille > 500
        let q = Double(isUpper ? 1_000 - permille : permille) / 1_000
        guard let ranks = count <= Self.mostExact ? Self.exact(count, q) : Self.normal(count, q) else { return nil }
        self.count = count
        self.ranks = isUpper ? count + 1 - ranks.upperBound...count + 1 - ranks.lowerBound : ranks
    }

    /// Above it the normal distribution is as near as makes no difference.
    private static let mostExact = 500
    private static let tail = 0.025

    private static func exact(_ count: Int, _ q: Double) -> ClosedRange<Int>? {
        // P(B = k), k ascending; at least 2⁻⁵⁰⁰, as q ≤ ½.
        var term = 1.0
        for _ in 0..<count { term *= 1 - q }
        var below = 0.0, lower = 0, rank = 0
        while rank <= count {
            // `below` is P(B < rank).
            if below <= tail { lower = rank }
            if 1 - below <= tail { break }
            below += term
            term *= Double(count - rank) / Double(rank + 1) * (q / (1 - q))
            rank += 1
        }
        return lower >= 1 && rank <= count ? lower...rank : nil
    }

    private static func normal(_ count: Int, _ q: Double) -> ClosedRange<Int>? {
        let mean = Double(count) * q, reach = 1.959_964 * (mean * (1 - q)).squareRoot()
        let lower = Int((mean - reach).rounded(.down)), upper = Int((mean + reach).rounded(.up)) + 1
        return lower >= 1 && upper <= count ? lower...upper : nil
    }
}
