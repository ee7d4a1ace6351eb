/// Totals that are moved in the same transaction as the cursors, and so are exact after any crash.
public struct ExporterFigures: Sendable, Equatable {
    /// Raw rows stored since the home began.
    public var rawRows: Int64
    /// Samples in the heat map: the sum over all day cells at the coarsest level and without a cell.
    public var heatmapSamples: Int64
}
