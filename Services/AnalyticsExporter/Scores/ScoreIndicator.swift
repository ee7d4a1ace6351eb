internal import Foundation

/// A figure that a profile looks at: a statistic of a metric.
package struct ScoreIndicator: Hashable, Sendable {
    package enum Statistic: Hashable, Sendable {
        case mean
        /// In thousandths.
        case quantile(permille: Int)
    }

    /// Name of the metric.
    package let metric: String
    package let statistic: Statistic

    package init(metric: String, statistic: Statistic) {
        self.metric = metric
        self.statistic = statistic
    }

    /// The word for a statistic in profiles and answers: `mean`, `p50`, `p95`.
    package var statisticName: String {
        switch statistic {
        case .mean: "mean"
        case .quantile(let permille): "p\(permille / 10)"
        }
    }

    /// Reads ``statisticName``; nil for anything else.
    static func statistic(_ name: String) -> Statistic? {
        if name == "mean" { return .mean }
        guard name.hasPrefix("p"), let percent = Int(name.dropFirst()), (1...99).contains(percent) else { return nil }
        return .quantile(permille: percent * 10)
    }
}

/// An indicator as it was measured.
package struct MeasuredIndicator: Equatable, Sendable {
    /// In the unit of the metric.
    package let value: Double
    /// Values of the metric that it rests on.
    package let count: Int64

    package init(value: Double, count: Int64) {
        self.value = value
        self.count = count
    }
}
