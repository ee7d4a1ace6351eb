import Models
import Wire

/// Gathers changed cells, with their absolute values, as a table of kind `cell`.
struct CellEmitter {
    private var keys = (bytes: [UInt8](), ends: [UInt32]())
    private var histograms = (bytes: [UInt8](), ends: [UInt32]())
    private var samples: [Int64] = []
    private var devices: [Int64] = []

    var rowCount: Int { keys.ends.count }
    /// True when there is enough for a block.
    var isFull: Bool { histograms.bytes.count >= CellEmitter.blockBytes || rowCount >= CellEmitter.blockRows }
    /// Bytes of histograms of a block, by far the most of it: with keys and counts it stays under 64 KB.
    private static let blockBytes = 44_000
    private static let blockRows = 2_048

    /// Adds a cell's present state.
    mutating func add(
        _ cell: CellKey, samples: Int64, devices: Int, histograms bytes: UnsafeRawBufferPointer
    ) {
        cell.withBytes { keys.bytes.append(contentsOf: $0) }
        keys.ends.append(UInt32(keys.bytes.count))
        histograms.bytes.append(contentsOf: bytes)
        histograms.ends.append(UInt32(histograms.bytes.count))
        self.samples.append(samples)
        self.devices.append(Int64(devices))
    }

    /// The table of what was added. Empty afterwards.
    mutating func take() -> Columns {
        defer { self = CellEmitter() }
        let presence = RowSet.full(rowCount)
        return Columns(
            rowCount: rowCount,
            columns: [
                Column(id: ColumnID.key, presence: presence, bytes: keys.bytes, ends: keys.ends),
                Column(id: ColumnID.samples, presence: presence, integers: samples),
                Column(id: ColumnID.devices, presence: presence, integers: devices),
                Column(
                    id: ColumnID.histograms, presence: presence, bytes: histograms.bytes, ends: histograms.ends,
                    isPlain: true),
            ])
    }
}
