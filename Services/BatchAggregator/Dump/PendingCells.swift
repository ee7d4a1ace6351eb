import AggregatorCells
import Models

/// What open rows that are not in the cells yet would add to them, in memory, by bucket.
struct PendingCells: CellSink {
    private var buckets: [CellBucket: [CellKey: CellSum]] = [:]
    /// Buckets not taken yet, the last first; nil until the first is asked for.
    private var order: [CellBucket]?
    private var scratch = CellSum.Scratch()
    /// Buckets that begin before are sealed.
    var sealed = Int64.min

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        if cell.bucketStart < sealed { return }
        buckets[CellBucket(cell), default: [:]][cell, default: CellSum()].add(sum, scratch: &scratch)
    }

    /// The first bucket that was not taken.
    var first: CellBucket? {
        mutating get {
            let order = order ?? buckets.keys.sorted(by: >)
            self.order = order
            return order.last
        }
    }

    /// Takes a bucket's cells.
    mutating func take(_ bucket: CellBucket) -> [CellKey: CellSum] {
        guard first == bucket else { return buckets.removeValue(forKey: bucket) ?? [:] }
        order?.removeLast()
        return buckets.removeValue(forKey: bucket) ?? [:]
    }
}

/// A bucket of time: its length and its begin, Unix seconds.
struct CellBucket: Hashable, Comparable {
    var length: CellKey.Bucket
    var start: Int64

    init(_ cell: CellKey) {
        length = cell.bucket
        start = cell.bucketStart
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.length, left.start) < (right.length, right.start)
    }
}
