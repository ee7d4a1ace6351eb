/// How a metric's stored values fall into integer bins. Version 1; a change of any bound is a new version.
public enum BinTable: Sendable, Hashable {
    /// Version of both tables, stored with every file of cells.
    public static let version = 1

    /// Exact below 128, then the leading one and 6 bits after it: a bin is at most 1/64 of its value wide, its middle
    /// at most 1/128 away from any value in it. For speeds (kbit/s) and times (0.1 ms).
    ///
    ///     value  0 … 127   bin = value
    ///     value ≥ 128      e = ⌊log2 value⌋ − 6,  bin = 64·e + (value >> e)
    case logarithmic
    /// `value / divisor`, rounded down: 1 dB (divisor 10), 0.1 % (divisor 10 of 0.01 %), ratings and events (divisor 1).
    case linear(divisor: Int64)

    /// The bin of a stored value; negative values only with ``linear(divisor:)``.
    @inlinable
    public func bin(_ value: Int64) -> Int32 {
        switch self {
        case .logarithmic:
            guard value >= 128 else { return Int32(truncatingIfNeeded: max(value, 0)) }
            let exponent = Int64(63 - value.leadingZeroBitCount) - 6
            return Int32(truncatingIfNeeded: 64 * exponent + value >> exponent)
        case .linear(let divisor):
            return Int32(truncatingIfNeeded: value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor))
        }
    }

    /// The stored values that fall into a bin.
    public func values(in bin: Int32) -> ClosedRange<Int64> {
        let bin = Int64(bin)
        switch self {
        case .logarithmic:
            guard bin >= 128 else { return bin...bin }
            let exponent = bin / 64 - 1
            let low = (bin - 64 * exponent) << exponent
            return low...(low + 1 << exponent - 1)
        case .linear(let divisor):
            return (bin * divisor)...(bin * divisor + divisor - 1)
        }
    }

    /// The value that stands for a bin where figures are published, in stored units: what was measured, rounded down to the
    /// whole dB, 0.1 % or rating that the bin is; of a bin of ``logarithmic`` its middle, rounded down.
    public func value(of bin: Int32) -> Int64 {
        let range = values(in: bin)
        guard case .logarithmic = self else { return range.lowerBound }
        return range.lowerBound + (range.upperBound - range.lowerBound) / 2
    }
}
