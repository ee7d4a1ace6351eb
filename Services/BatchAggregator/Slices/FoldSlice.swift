/// A part of a fold and what there is to know of it.
struct FoldSlice {
    var part: FoldPart
    /// The local day of its rows.
    var day: Int64
    /// Tells it from others whose sums are made ahead (``CellWriter``).
    var number: Int
    /// Buckets that begin before are sealed and take no rows: an hour across midnight is with the first of its days.
    var sealed: Int64 = .min

    /// Whether sums that are made of another are this one's.
    func hasSums(of other: FoldSlice) -> Bool { number == other.number && sealed == other.sealed }
}
