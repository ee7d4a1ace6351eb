/// What a metric's samples weigh, bin by bin: all figures of a cell are read from it.
///
/// Integers, so that the same bins give the same figures wherever they are added up.
public struct WeightedBins: Equatable, Sendable {
    /// A bin with the weight of its samples.
    public struct Entry: Equatable, Sendable {
        public let bin: Int32
        /// Samples times ``DeviceCap/whole``, less where a device is capped; above zero.
        public let weight: Int64

        public init(bin: Int32, weight: Int64) {
            self.bin = bin
            self.weight = weight
        }
    }

    /// Ascending by bin, each once.
    public let entries: [Entry]
    /// Of all entries.
    public let total: Int64

    /// - Parameter entries: in any order; those of one bin are added up.
    public init(_ entries: some Sequence<Entry>) {
        var merged: [Entry] = [], total: Int64 = 0
        for entry in entries.sorted(by: { $0.bin < $1.bin }) where entry.weight > 0 {
            total += entry.weight
            if let last = merged.last, last.bin == entry.bin {
                merged[merged.count - 1] = Entry(bin: entry.bin, weight: last.weight + entry.weight)
            } else {
                merged.append(entry)
            }
        }
        self.entries = merged
        self.total = total
    }

    /// The bin in which the q-quantile lies: the first up to which at least q of the weight is; nil without entries.
    ///
    /// - Parameter permille: q in thousandths, 0…1 000.
    public func quantile(permille: Int) -> Int32? { bin(reaching: Int64(permille), of: 1_000) }

    /// The bins at the ends of a quantile's interval; nil without entries.
    ///
    /// Of n values with a weight each they are the l-th and the u-th. Where a device has many samples the l-th value stands for the
    /// part of the weight from (l − 1) ÷ n to l ÷ n, and the interval goes from the end of that part to the begin of the u-th: from its
    /// begin to its end it would reach to the least and the greatest of all samples when devices are few.
    public func ends(of interval: OrderInterval) -> ClosedRange<Int32>? {
        let (lower, upper) = (Int64(interval.ranks.lowerBound), Int64(interval.ranks.upperBound))
        guard let first = bin(reaching: lower, of: Int64(interval.count)),
            let last = bin(exceeding: upper - 1, of: Int64(interval.count))
        else { return nil }
        return first...max(first, last)
    }

    /// The mean of what bins stand for; nil without entries.
    public func mean(_ value: (Int32) -> Double) -> Double? {
        guard total > 0 else { return nil }
        return entries.reduce(0) { $0 + Double($1.weight) / Double(total) * value($1.bin) }
    }

    /// The weight of bins below a bin.
    public func weight(below bin: Int32) -> Int64 {
        entries.lazy.prefix { $0.bin < bin }.reduce(0) { $0 + $1.weight }
    }

    private func bin(reaching part: Int64, of parts: Int64) -> Int32? {
        first { $0 * Int128(parts) >= Int128(part) * Int128(total) }
    }

    private func bin(exceeding part: Int64, of parts: Int64) -> Int32? {
        first { $0 * Int128(parts) > Int128(part) * Int128(total) }
    }

    /// The first bin up to which the weight is enough; the last one if none is.
    private func first(_ isEnough: (Int128) -> Bool) -> Int32? {
        var weight: Int128 = 0
        for entry in entries {
            weight += Int128(entry.weight)
            if isEnough(weight) { return entry.bin }
        }
        return entries.last?.bin
    }
}
