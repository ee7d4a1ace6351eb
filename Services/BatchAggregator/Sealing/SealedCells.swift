/// How many cells were looked at when their buckets were sealed.
struct SealedCells: Equatable {
    /// Those that stay, without devices.
    var kept = 0
    /// Those of too few devices, which went.
    var removed = 0

    static func += (left: inout Self, right: Self) {
        left.kept += right.kept
        left.removed += right.removed
    }
}
