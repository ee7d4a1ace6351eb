/// Records that are folded in one transaction.
struct FoldPart {
    /// The base cells, by number; each has records.
    var keys: [PlaceKey] = []
    /// In pieces that hold whole ones.
    var records = RecordPieces()
    /// The day's records up to here are this part's or in the cells already.
    var last: UInt64
}
