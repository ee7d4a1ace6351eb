public import Models

/// A row of a release: of what, where, and its figures.
public struct ReleasedAtom: Sendable, Equatable {
    /// Number of the metric in its programme.
    public var metric: UInt8
    /// Of releases by hour and technology, the hour of the local day, from 0 on; 0 in others.
    public var hour: UInt8
    /// Of releases by hour and technology, the stratum; 0 in others.
    public var stratum: UInt8
    /// Nil for the whole network.
    public var cell: Quadkey?
    public var figures: AtomFigures

    public init(metric: UInt8, hour: UInt8, stratum: UInt8, cell: Quadkey?, figures: AtomFigures) {
        self.metric = metric
        self.hour = hour
        self.stratum = stratum
        self.cell = cell
        self.figures = figures
    }
}
