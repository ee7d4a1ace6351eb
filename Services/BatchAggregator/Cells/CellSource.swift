import Models

/// Where and when rows come from: the buckets of 5 minutes from the first to the last, and the smallest cell around all of
/// their places.
///
/// The source of two sets of rows is the join of their sources, in any order: it is as much a function of the rows as their
/// sums are. A cell whose rows all lie in one cell inside it says only which (``smallest(in:)``).
struct CellSource: Equatable {
    private var first = Int64.max
    private var last = Int64.min
    /// As ``PlaceKey/place``.
    private var place: UInt64 = 0

    /// No local day is shorter; where one ends is not known here.
    private static let shortestDay: Int64 = 22 * 3_600
    private static let bucketsOfHour = 3_600 / OpenRowColumn.bucketSeconds

    /// Of no rows.
    init() {}

    /// Of rows of one base cell.
    init(bucket: Int64, place: UInt64) {
        first = bucket
        last = bucket
        self.place = place
    }

    /// Of rows that are anywhere in a cell.
    init(_ cell: CellKey) {
        first = cell.bucketStart / OpenRowColumn.bucketSeconds
        last = first + Int64(cell.bucketSeconds) / OpenRowColumn.bucketSeconds - 1
        place = PlaceKey.place(cell.quadkey)
    }

    /// Makes this the source of these and other rows.
    mutating func join(_ other: CellSource) {
        if other.first > other.last { return }
        if first > last { return self = other }
        first = min(first, other.first)
        last = max(last, other.last)
        place = PlaceKey.smallest(around: place, other.place)
    }

    /// The smallest cell that holds all rows; `cell` itself if they lie in none inside it.
    func smallest(in cell: CellKey) -> CellKey {
        let bucket = bucket(in: cell)
        return cell.at(bucket.size, bucket.start, PlaceKey.quadkey(place))
    }

    private func bucket(in cell: CellKey) -> (size: CellKey.Bucket, start: Int64) {
        if first == last { return (.fiveMinutes, first * OpenRowColumn.bucketSeconds) }
        let hour = first / CellSource.bucketsOfHour
        let start = hour * 3_600
        // An hour of UTC may begin in one local day and end in the next.
        let isInside =
            hour == last / CellSource.bucketsOfHour && cell.bucket > .hour && start >= cell.bucketStart
            && start + 3_600 <= cell.bucketStart + CellSource.shortestDay
        return isInside ? (.hour, start) : (cell.bucket, cell.bucketStart)
    }
}
