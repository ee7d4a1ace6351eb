import Models

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
