public import Lanes
public import Storage

/// Brings the aggregator's files over after a restore.
public enum RestoredStatistics {
    /// Rows of blocks behind the cursors go while they can be told by the generation of the backup; the blocks come again
    /// under their old numbers and a new generation, or never. Does nothing if it was done before.
    public static func settle(_ restoration: Restoration, _ database: ServiceDatabase, _ open: OpenRowDirectory) throws
    {
        guard try !restoration.isSettled(database) else { return }
        try UncommittedRows.remove(database, open)
        try restoration.settle(database) { try FoldLedger.goOn(restoration, $0) }
    }
}
