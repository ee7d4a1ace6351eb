internal import Models
internal import Wire

/// The columns of a block of kind cell, looked up once.
struct CellRows {
    /// The primary key of a cell, in its order.
    struct Key {
        let values: [Int64]
        var bucketSeconds: Int64 { values[0] }
        var level: Int64 { values[1] }
    }

    private let keys: [Column]
    private let counts: Column?
    private let deviceCounts: Column?
    private let bins: Column?

    /// Nil if there is no key.
    init?(_ columns: Columns) {
        let parts = [
            ColumnID.bucketSeconds, ColumnID.level, ColumnID.bucketStart, ColumnID.quadkey, ColumnID.plmn,
            ColumnID.technology,
        ]
        guard columns[ColumnID.bucketSeconds] != nil else { return nil }
        // Where there is no cell there is no level and no quadkey: both are 0.
        keys = parts.map { id in
            columns[id] ?? .absent(id: id, encoding: .integer, rowCount: columns.rowCount)
        }
        counts = columns[ColumnID.samples]
        deviceCounts = columns[ColumnID.devices]
        bins = columns[ColumnID.histograms]
    }

    func key(_ row: Int) -> Key { Key(values: keys.map { $0.integers[row] }) }
    /// Nil: the cell is gone.
    func samples(_ row: Int) -> Int64? { counts?.integer(row) }
    func devices(_ row: Int) -> Int64 { deviceCounts?.integer(row) ?? 0 }

    /// The encoded histograms of a row, of at least one byte of memory to point to.
    func withHistograms<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        (bins?.value(row) ?? []).withUnsafeBytes { bytes in
            guard bytes.isEmpty else { return body(bytes) }
            return withUnsafeBytes(of: UInt8(0)) { body(UnsafeRawBufferPointer(rebasing: $0[..<0])) }
        }
    }
}
