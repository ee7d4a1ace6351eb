/// A part of a local day's waiting rows: those of the cells that ``PlaceKey/part(of:)`` says.
struct FoldSlice: Equatable {
    /// Begin of the local day, Unix seconds.
    var day: Int64
    var part: Int
    var parts: Int
}
