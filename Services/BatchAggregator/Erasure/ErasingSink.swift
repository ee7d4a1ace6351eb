import GRDB
import Lanes
import Models

/// Takes the sums of erased rows out of the cells of the store and emits every cell that had any, as it is then.
struct ErasingSink: CellSink {
    private let table: CellTable
    private let state: ErasingRows.State
    private let kept: KeptDevices
    private let cells: ErasingCells
    /// Buckets that begin before are sealed, and keep what they have.
    private let sealed: Int64
    private var emission: Emission
    private var emitter = CellEmitter()

    init(
        _ table: CellTable, _ state: ErasingRows.State, _ kept: KeptDevices, _ cells: ErasingCells,
        _ emission: Emission,
        sealed: Int64
    ) {
        self.table = table
        self.state = state
        self.kept = kept
        self.cells = cells
        self.sealed = sealed
        self.emission = emission
    }

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        if cell.bucketStart < sealed { return }
        if state == .folded {
            try table.subtract(sum, devices: kept.gone(sum, from: cell), from: cell) { emitter.add(cell, $0) }
        } else {
            try table.lend(cell) { emitter.add(cell, $0) }
        }
        try cells.note(cell)
        try emitter.emitIfFull(to: &emission)
    }

    /// Emits what is left; returns the emission.
    mutating func finish() throws -> Emission {
        try emitter.emit(to: &emission)
        return emission
    }
}
