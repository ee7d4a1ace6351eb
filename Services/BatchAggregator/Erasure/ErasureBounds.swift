/// How much one slice of an erasure does.
struct ErasureBounds {
    /// Blocks whose devices are looked at.
    var searched = 1_024
    /// Blocks decoded.
    var decoded = 16
    /// Rows taken at once.
    var rows = 512
}
