public import Models
internal import Statistics

extension AtomFigures {
    /// Between which values the median lies with 95 % (``OrderInterval``), in stored units; an end is nil where the atom's histogram is open
    /// there, and both are where too few devices are as sure.
    ///
    /// The per cent of steps are rounded to a grid, so each end is taken from a step that is half of it beyond the end.
    ///
    /// - Parameter table: of the metric.
    public func medianEnds(_ table: BinTable) -> (low: Int64?, high: Int64?) {
        guard let interval = OrderInterval(count: Double(effectiveDevices), permille: 500) else { return (nil, nil) }
        let count = Int64(interval.count), low = Int64(interval.ranks.lowerBound - 1)
        let high = Int64(interval.ranks.upperBound), grid = Self.grid(samples: samples)
        let below = steps.last { (2 * $0.percent + grid) * count <= 200 * low }
        let above = steps.first { (2 * $0.percent - grid) * count >= 200 * high }
        return (
            below.map { table.values(in: $0.bin).upperBound }, above.map { table.values(in: $0.bin).upperBound }
        )
    }
}
