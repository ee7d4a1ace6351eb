/// Exact percentiles of a few thousand samples.
enum Percentile {
    /// The smallest sample that at least this share of samples is not above (nearest rank). Samples are sorted.
    static func at(_ share: Double, of sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}
