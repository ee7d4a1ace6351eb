internal import Models

/// Which of several networks is better, where their intervals tell.
///
/// Two are told apart only if their 95 % intervals do not touch: of two that are equal that happens less often than in one of twenty
/// comparisons (Schenker and Gentleman, "On judging the significance of differences by examining the overlap between confidence
/// intervals", 2001: about once in 180).
struct NetworkRanking {
    enum Direction: String { case higher, lower }

    /// Which way is better; nil for a metric of which that is not known.
    static func direction(of metric: String) -> Direction? {
        switch metric {
        case "download_kbps", "upload_kbps", "rsrp_dbm", "rsrq_db", "sinr_db", "rssi_dbm", "rating": .higher
        case "latency_ms", "jitter_ms", "loss_pct": .lower
        default: nil
        }
    }

    /// For each network the places of those that it is better than.
    let betterThan: [[Int]]
    /// For each network one more than the number of those that are better; nil if it is not apart from each of the others.
    let ranks: [Int?]

    /// - Parameter intervals: nil where none is known.
    init(_ intervals: [ClosedRange<Int64>?], _ direction: Direction?) {
        let betterThan = intervals.indices.map { one in
            intervals.indices.filter { Self.isBetter(intervals[one], intervals[$0], direction) }
        }
        self.betterThan = betterThan
        ranks = intervals.indices.map { one in
            let better = intervals.indices.filter { betterThan[$0].contains(one) }
            return better.count + betterThan[one].count == intervals.count - 1 ? better.count + 1 : nil
        }
    }

    /// Whether every network has a rank.
    var isComplete: Bool { !ranks.contains(nil) }

    private static func isBetter(
        _ one: ClosedRange<Int64>?, _ other: ClosedRange<Int64>?, _ direction: Direction?
    ) -> Bool {
        guard let one, let other else { return false }
        return switch direction {
        case .higher: one.lowerBound > other.upperBound
        case .lower: one.upperBound < other.lowerBound
        case nil: false
        }
    }
}
