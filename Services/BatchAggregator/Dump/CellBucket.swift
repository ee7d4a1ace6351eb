import Models

/// A bucket of time: its length and its begin, in seconds.
struct CellBucket: Hashable, Comparable {
    var seconds: UInt32
    var start: Int64

    init(_ cell: CellKey) {
        seconds = cell.bucketSeconds
        start = cell.bucketStart
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.start) < (right.seconds, right.start)
    }
}
