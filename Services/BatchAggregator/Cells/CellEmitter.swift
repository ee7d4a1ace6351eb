import Models
import Wire

/// Gathers changed cells, with their absolute values, as a table of kind `cell`.
struct CellEmitter {
    private var keys = (bytes: [UInt8](), ends: [UInt32]())
    private var histograms = (bytes: [UInt8](), ends: [UInt32]())
    private var integers = [[Int64]](repeating: [], count: CellEmitter.integerColumns.count)
    private static let integerColumns: [(id: UInt8, encoding: ColumnEncoding)] = [
        (ColumnID.bucketSeconds, .integer), (ColumnID.bucketStart, .delta), (ColumnID.level, .integer),
        (ColumnID.quadkey, .delta), (ColumnID.plmn, .integer), (ColumnID.technology, .integer),
        (ColumnID.samples, .integer), (ColumnID.devices, .integer),
    ]

    var rowCount: Int { keys.ends.count }
    /// Bytes of the histograms, by far the most of the table.
    var byteCount: Int { histograms.bytes.count }

    /// Adds a cell's present state.
    mutating func add(_ cell: CellKey, samples: Int64, devices: Int, histograms bytes: UnsafeRawBufferPointer) {
        keys.bytes += cell.bytes
        keys.ends.append(UInt32(keys.bytes.count))
        histograms.bytes.append(contentsOf: bytes)
        histograms.ends.append(UInt32(histograms.bytes.count))
        let values: (Int64, Int64, Int64, Int64) = (
            Int64(cell.bucketSeconds), cell.bucketStart, Int64(cell.quadkey?.level ?? 0),
            Int64(bitPattern: cell.quadkey?.code ?? 0)
        )
        integers[0].append(values.0)
        integers[1].append(values.1)
        integers[2].append(values.2)
        integers[3].append(values.3)
        integers[4].append(cell.plmn.rawValue)
        integers[5].append(cell.technology.rawValue)
        integers[6].append(samples)
        integers[7].append(Int64(devices))
    }

    /// The table of what was added; level 0 means no cell. Empty afterwards.
    mutating func take() -> Columns {
        defer { self = CellEmitter() }
        let presence = RowSet.full(rowCount)
        var columns = [
            Column(id: ColumnID.key, presence: presence, bytes: keys.bytes, ends: keys.ends),
            Column(
                id: ColumnID.histograms, presence: presence, bytes: histograms.bytes, ends: histograms.ends,
                isPlain: true),
        ]
        for (column, values) in zip(CellEmitter.integerColumns, integers) {
            columns.append(
                Column(id: column.id, encoding: column.encoding, presence: presence, integers: values))
        }
        return Columns(rowCount: rowCount, columns: columns)
    }
}
