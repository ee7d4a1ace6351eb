/// A part of a local day's waiting rows.
struct FoldSlice: Equatable {
    /// Begin of the local day, Unix seconds.
    var day: Int64
    var part: Int
    var parts: Int
    /// How ``FoldRows/cut(byPlace:)`` makes the parts.
    var isByPlace = true
}
