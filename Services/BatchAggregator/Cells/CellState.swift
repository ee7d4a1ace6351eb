import Models

/// What a cell is, lent.
enum CellState {
    /// It has figures of its own.
    case own(samples: Int64, devices: Int, histograms: UnsafeRawBufferPointer)
    /// Its rows are those of a cell inside it.
    case reference(CellKey)
    /// It has no rows any more, or was sealed with too few devices.
    case gone
}
