internal import Models
internal import Wire

/// The columns of a block of kind cell, looked up once.
struct CellRows {
    private let version: UInt8
    private let keys: Column
    private let counts: Column?
    private let deviceCounts: Column?
    private let bins: Column?
    private let spreads: Column?
    private let sources: Column?

    /// Nil if there is no key.
    ///
    /// - Parameter version: of the kind.
    init?(_ columns: Columns, version: UInt8) {
        guard let keys = columns[ColumnID.key] else { return nil }
        self.version = version
        self.keys = keys
        counts = columns[ColumnID.samples]
        deviceCounts = columns[ColumnID.devices]
        bins = columns[ColumnID.histograms]
        spreads = columns[ColumnID.spreads]
        sources = columns[ColumnID.source]
    }

    /// Nil if the row's key is none of a cell.
    func key(_ row: Int) -> CellKey? { keys.withBytes(row) { CellKey($0, ofKind: version) } }
    /// True for a row that has another cell's figures.
    func isReference(_ row: Int) -> Bool { sources?.presence[row] == true }
    /// Nil for a reference, and if the cell is gone.
    func samples(_ row: Int) -> Int64? { counts?.integer(row) }
    func devices(_ row: Int) -> Int64 { deviceCounts?.integer(row) ?? 0 }

    /// The encoded histograms of a row, empty if it has none.
    func withHistograms<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Self.withBytes(bins, row, body)
    }

    /// How the samples of a row are spread over devices, encoded; empty if nothing is told.
    func withSpreads<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Self.withBytes(spreads, row, body)
    }

    /// The cell whose figures a reference has; nil for other rows, and if it is none.
    func source(_ row: Int) -> CellKey? { Self.withBytes(sources, row) { CellKey($0, ofKind: version) } }

    private static func withBytes<Result>(
        _ column: Column?, _ row: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard let column else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try column.withBytes(row, body)
    }
}
