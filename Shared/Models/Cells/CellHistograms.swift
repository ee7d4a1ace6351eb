/// The histograms of one statistics cell: per metric, how many samples fell into each bin.
///
/// The blob of column ``ColumnID/histograms`` and of the aggregator's store; the layout is drawn at ``encoded()``.
/// Integers only: adding the histograms of two sets of rows gives those of their union, in any order. A metric is a number here:
/// what it measures is known to the programme that the cell belongs to.
public struct CellHistograms: Sendable, Equatable {
    /// A bin with its count; ordered by metric, then bin.
    public struct Entry: Sendable, Equatable {
        /// Metric and bin as one number that sorts: metric in the highest byte, bin + 2²³ below.
        public var slot: UInt32
        /// Samples in the bin; negative only where samples are taken away.
        public var count: Int64

        @inlinable
        public init(slot: UInt32, count: Int64) {
            self.slot = slot
            self.count = count
        }

        /// A bin of the metric with a number; traps unless the bin is within ±2²³.
        @inlinable
        public init(metric: UInt8, bin: Int32, count: Int64) {
            self.init(slot: UInt32(metric) << 24 | UInt32(bin + 0x80_0000), count: count)
        }

        /// Number of the metric.
        @inlinable public var metric: UInt8 { UInt8(truncatingIfNeeded: slot >> 24) }
        /// The bin of the metric's ``BinTable``.
        @inlinable public var bin: Int32 { Int32(slot & 0xff_ffff) - 0x80_0000 }
    }

    /// Ascending by slot, counts above zero.
    public private(set) var entries: [Entry]

    /// No samples.
    public init() { entries = [] }

    /// Histograms of entries in any order; equal bins are added up.
    public init(_ entries: [Entry]) {
        self.entries = entries
        Self.addUp(&self.entries)
        self.entries.removeAll { $0.count == 0 }
    }

    /// Sorts entries and adds up those of equal bins, in the memory they have.
    public static func addUp(_ entries: inout [Entry]) {
        entries.sort { $0.slot < $1.slot }
        var length = 0
        for index in entries.indices {
            let entry = entries[index]
            if length > 0, entries[length - 1].slot == entry.slot {
                entries[length - 1].count += entry.count
            } else {
                entries[length] = entry
                length += 1
            }
        }
        entries.removeLast(entries.count - length)
    }

    init(sorted entries: [Entry]) { self.entries = entries }

    /// The numbers of the metrics that have samples, ascending.
    public var metrics: [UInt8] {
        entries.reduce(into: []) { if $0.last != $1.metric { $0.append($1.metric) } }
    }

    /// The bins of the metric with a number that have samples, ascending.
    public func bins(_ metric: UInt8) -> ArraySlice<Entry> {
        let first = entries.firstIndex { $0.metric >= metric } ?? entries.endIndex
        let last = entries[first...].firstIndex { $0.metric > metric } ?? entries.endIndex
        return entries[first..<last]
    }

    /// Adds the samples of `other`.
    public mutating func merge(_ other: CellHistograms) {
        guard !entries.isEmpty else { return entries = other.entries }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + other.entries.count)
        var mine = 0, theirs = 0
        while mine < entries.count || theirs < other.entries.count {
            let left = mine < entries.count ? entries[mine].slot : .max
            let right = theirs < other.entries.count ? other.entries[theirs].slot : .max
            var sum = Entry(slot: min(left, right), count: 0)
            if left <= right {
                sum.count += entries[mine].count
                mine += 1
            }
            if right <= left {
                sum.count += other.entries[theirs].count
                theirs += 1
            }
            if sum.count != 0 { merged.append(sum) }
        }
        entries = merged
    }
}
