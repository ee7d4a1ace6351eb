/// A local day of whose waiting rows a fold has some left to take.
struct FoldingDay: Equatable {
    /// Its begin, Unix seconds.
    var day: Int64
    /// Records from this place on (``FoldRange``) are not in the cells yet.
    var first: UInt64 = 0
}
