public import Models
internal import Statistics

extension AtomFigures {
    /// Between which values the median lies with 95 % (``OrderInterval``), in stored units; an end is nil where the atom's histogram is open
    /// there, and both are where too few devices are as sure.
    ///
    /// A quantile at a step's percent or above it lies in the step's bin or above it, one at most there in the bin or below it.
    ///
    /// - Parameter table: of the metric.
    public func medianEnds(_ table: BinTable) -> (low: Int64?, high: Int64?) {
        guard let interval = OrderInterval(count: Double(effectiveDevices), permille: 500) else { return (nil, nil) }
        let count = Int64(interval.count), low = Int64(interval.ranks.lowerBound - 1)
        let high = Int64(interval.ranks.upperBound)
        let below = steps.last { $0.percent * count <= 100 * low }
        let above = steps.first { $0.percent * count >= 100 * high }
        return (
            below.map { table.values(in: $0.bin).lowerBound }, above.map { table.values(in: $0.bin).upperBound }
        )
    }
}
