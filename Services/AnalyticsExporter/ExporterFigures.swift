internal import GRDB

/// Totals that are moved in the same transaction as the cursors, and so are exact after any crash.
public struct ExporterFigures: Sendable, Equatable {
    /// Raw rows that are there.
    public var rawRows: Int64
    /// Raw rows that were there and were erased.
    public var erasedRows: Int64
    /// Raw rows that were there until their time was over.
    public var retiredRows: Int64
    /// Samples in the heat map: the sum over all day cells at the coarsest level and without a cell.
    public var heatmapSamples: Int64
}

extension ExporterFigures {
    init(_ db: Database) throws {
        rawRows = try ExporterStore.value(of: .rawRows, db)
        erasedRows = try ExporterStore.value(of: .erasedRows, db)
        retiredRows = try ExporterStore.value(of: .retiredRows, db)
        heatmapSamples = try ExporterStore.value(of: .heatmapSamples, db)
    }
}
