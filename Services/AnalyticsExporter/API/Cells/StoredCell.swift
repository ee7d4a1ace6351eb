internal import Models

/// The figures of a stored cell, lent.
struct StoredCell {
    let rows: Int64
    /// Those that sent the rows.
    let devices: Int64
    /// Of all metrics, as ``CellHistograms`` are encoded.
    let histograms: UnsafeRawBufferPointer
    /// As ``DeviceSpread`` draws them; empty where there are none.
    let spreads: UnsafeRawBufferPointer
    /// Whether it is the other population of the cell that was added before it.
    let isOther: Bool
}

/// Adds stored cells up.
protocol CellAdding {
    /// Of no cells.
    init()
    /// Adds a cell's values of a metric (its number); false if the bytes are not those of a cell.
    mutating func add(_ cell: StoredCell, of metric: UInt8) -> Bool
    /// Adds what whole months come to (`MonthStore`); false if the bytes are not that, or months are not known.
    mutating func add(kept bytes: UnsafeRawBufferPointer) -> Bool
}

extension CellAdding {
    mutating func add(kept bytes: UnsafeRawBufferPointer) -> Bool { false }
}
