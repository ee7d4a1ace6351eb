/// What a journal keeps in memory of what its tables say; a value, so that a rolled back transaction is forgotten by
/// putting the old one back.
struct JournalState: Equatable {
    var generation: UInt64
    /// Number of the last block, kept when the block itself is gone.
    var head: UInt64 = 0
    /// Blocks up to here are gone (event lanes).
    var trimmed: UInt64 = 0
    /// Bytes of the blocks that are there.
    var bytes: Int = 0
    /// Bytes ever appended.
    var total: Int = 0
    /// State lanes: removed keys in blocks up to here are forgotten.
    var tombstonesGone: UInt64 = 0
    /// State lanes: blocks up to here are in the index of keys.
    var indexed: UInt64 = 0
    /// State lanes: the running compaction has gone through blocks up to here …
    var swept: UInt64 = 0
    /// … and ends here; 0 if none is running.
    var sweepTarget: UInt64 = 0
    /// State lanes: bytes left by the last compaction.
    var sweptBytes: Int = 0
    /// State lanes: what is superseded up to here is to go before long, however little it is; 0 if nobody asked. Not stored.
    var sweepWanted: UInt64 = 0
    var readers: [String: JournalReader] = [:]
}
