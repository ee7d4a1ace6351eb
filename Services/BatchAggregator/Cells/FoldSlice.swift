/// A part of a fold and what there is to know of it.
struct FoldSlice {
    var part: FoldPart
    /// The local day of its rows.
    var day: Int64
    /// Buckets that begin before are sealed and take no rows: an hour across midnight is with the first of its days.
    var sealed: Int64 = .min
}
