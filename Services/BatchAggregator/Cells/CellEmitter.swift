package import Lanes
package import Models
import Wire

/// What a cell is, lent.
package enum CellState {
    /// It has figures of its own.
    case own(
        samples: Int64, devices: Int, histograms: UnsafeRawBufferPointer, spreads: UnsafeRawBufferPointer)
    /// Its rows are those of a cell inside it.
    case reference(CellKey)
    /// It has no rows any more, or was sealed with too few devices.
    case gone
}

/// Gathers changed cells, with their absolute values or their sources, as a table of kind `cell`.
package struct CellEmitter {
    private var keys = (bytes: [UInt8](), ends: [UInt32]())
    private var sources = (bytes: [UInt8](), ends: [UInt32]())
    private var histograms = (bytes: [UInt8](), ends: [UInt32]())
    private var spreads = (bytes: [UInt8](), ends: [UInt32]())
    private var samples: [Int64] = []
    private var devices: [Int64] = []
    private var own = RowSet.empty(0)
    private var referring = RowSet.empty(0)
    private var spread = RowSet.empty(0)

    package init() {}

    private var rowCount: Int { keys.ends.count }
    /// True when there is enough for a block.
    private var isFull: Bool {
        histograms.bytes.count + sources.bytes.count + spreads.bytes.count >= CellEmitter.blockBytes
            || rowCount >= CellEmitter.blockRows
    }
    /// Bytes of histograms, spreads and sources of a block, by far the most of it: with keys and counts it stays under 64 KB.
    private static let blockBytes = 44_000
    private static let blockRows = 2_048

    /// Adds a cell's present state.
    package mutating func add(_ cell: CellKey, _ state: CellState) {
        cell.withBytes { keys.bytes.append(contentsOf: $0) }
        switch state {
        case .own(let samples, let devices, let bytes, let spreads):
            histograms.bytes.append(contentsOf: bytes)
            self.spreads.bytes.append(contentsOf: spreads)
            spread.append(!spreads.isEmpty)
            self.samples.append(samples)
            self.devices.append(Int64(devices))
            own.append(true)
            referring.append(false)
        case .reference(let source):
            source.withBytes { sources.bytes.append(contentsOf: $0) }
            addNoFigures(isReferring: true)
        case .gone: addNoFigures(isReferring: false)
        }
        keys.ends.append(UInt32(keys.bytes.count))
        sources.ends.append(UInt32(sources.bytes.count))
        histograms.ends.append(UInt32(histograms.bytes.count))
        spreads.ends.append(UInt32(spreads.bytes.count))
    }

    private mutating func addNoFigures(isReferring: Bool) {
        samples.append(0)
        devices.append(0)
        own.append(false)
        spread.append(false)
        referring.append(isReferring)
    }

    /// Appends what was added to `rollups`, if it is enough for a block.
    package mutating func emitIfFull(to emission: inout Emission) throws { if isFull { try emit(to: &emission) } }

    /// Appends what was added to `rollups`.
    package mutating func emit(to emission: inout Emission) throws {
        if rowCount > 0 { try emission.append(to: .rollups, kind: .cell, columns: take()) }
    }

    /// The table of what was added. Empty afterwards.
    mutating func take() -> Columns {
        defer { self = CellEmitter() }
        var columns = [
            Column(id: ColumnID.key, presence: .full(rowCount), bytes: keys.bytes, ends: keys.ends),
            Column(id: ColumnID.samples, presence: own, integers: samples),
            Column(id: ColumnID.devices, presence: own, integers: devices),
            Column(
                id: ColumnID.histograms, presence: own, bytes: histograms.bytes, ends: histograms.ends, isPlain: true),
        ]
        if !referring.isEmpty {
            columns.append(
                Column(id: ColumnID.source, presence: referring, bytes: sources.bytes, ends: sources.ends))
        }
        if !spread.isEmpty {
            columns.append(
                Column(id: ColumnID.spreads, presence: spread, bytes: spreads.bytes, ends: spreads.ends, isPlain: true))
        }
        return Columns(rowCount: rowCount, columns: columns)
    }
}
