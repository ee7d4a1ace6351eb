/// How much one slice of an erasure does.
struct ErasureBounds {
    /// Blocks whose devices are looked at.
    var searched = 1_024
    /// Blocks decoded.
    var decoded = 16
    /// Rows taken at once.
    var rows = 512
    /// Rounds over the journal, of 64 KB of blocks each: some 50 ms in all. Each slice ends with an fsync, which all
    /// services' commits on the same disk wait for; so many rounds share one.
    var rounds = 64
}
