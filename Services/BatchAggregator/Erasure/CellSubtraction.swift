import AggregatorCells
import AggregatorDeriving
import GRDB
import Lanes
import Models

/// Takes rows out of the cells. Confined to the thread that writes the database.
final class CellSubtraction {
    private let rollups: Journal
    private var table: CellTable?
    private let rules: CountingRules
    private var slice: RowSlice
    private var pyramid = CellPyramid()

    /// - Parameter rules: those by which the rows were made.
    init(_ rules: CountingRules, _ rollups: Journal) {
        self.rules = rules
        self.rollups = rollups
        slice = RowSlice(rules)
    }

    /// Rows to be added up here; none yet.
    func noRows() -> FoldRows { FoldRows(rules) }

    /// The cells in which the rows of a day leave devices.
    func kept(_ rows: FoldRows, day: Int64) throws -> KeptDevices {
        var kept = KeptDevices()
        try sum(rows, day, to: &kept)
        return kept
    }

    /// Takes the rows of a day out of the cells, if they are in them, and emits those cells.
    func subtract(
        _ noted: [ErasingRows], day: Int64, _ kept: KeptDevices, _ db: Database, _ emit: inout Emission
    ) throws {
        let table = try self.table ?? CellTable(db)
        self.table = table
        let cells = try ErasingCells(db, head: rollups.head)
        let sealed = try SealingState.read(db).through
        for state in [ErasingRows.State.folded, .forgotten] {
            var rows = noRows()
            for block in noted where block.state == state { try rows.add(block.rows) }
            var sink = ErasingSink(table, state, kept, cells, emit, sealed: sealed)
            try sum(rows, day, to: &sink)
            for cell in sink.uncounted { try UncountedCells.note(cell, day: day, db) }
            emit = try sink.finish()
        }
    }

    /// The counts of devices of some cells to which the next rows of their day are to be added.
    func recount(_ db: Database) throws -> DeviceRecount? {
        let table = try self.table ?? CellTable(db)
        self.table = table
        let keys = try UncountedCells.some(DeviceRecount.most, db)
        return keys.isEmpty
            ? nil : try DeviceRecount(Dictionary(uniqueKeysWithValues: keys.map { ($0, try table.devices(of: $0)) }))
    }

    /// Adds rows of a day.
    func add(_ rows: FoldRows, day: Int64, to recount: inout DeviceRecount) throws { try sum(rows, day, to: &recount) }

    /// Writes and emits what was counted.
    func finish(_ recount: DeviceRecount, _ db: Database, _ emit: inout Emission) throws {
        let table = try self.table ?? CellTable(db)
        var emitter = CellEmitter()
        for (cell, counts) in recount.counts {
            try table.recount(counts, of: cell) { emitter.add(cell, $0) }
            try UncountedCells.forget(cell, db)
            try emitter.emitIfFull(to: &emit)
        }
        try emitter.emit(to: &emit)
    }

    private func sum(_ rows: FoldRows, _ day: Int64, to sink: inout some CellSink) throws {
        var rows = rows
        rows.cut(parts: 1)
        guard let part = rows.takePart() else { return }
        slice.load(part)
        try pyramid.add(&slice, day: day, to: &sink)
    }
}

/// In which cells of a day the devices still have rows of which only a part is erased.
struct KeptDevices: CellSink {
    private var cells: [CellKey: [UInt32]] = [:]

    mutating func add(_ sum: CellSum, to cell: CellKey) throws { cells[cell] = sum.devices.ordinals }

    /// The devices of a sum, ascending, that have no row left in its cell.
    func gone(_ sum: CellSum, from cell: CellKey) -> [UInt32] {
        guard let kept = cells[cell] else { return sum.devices.ordinals }
        return sum.devices.ordinals.filter { !kept.contains($0) }
    }
}

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
    /// Cells whose devices are to be counted anew.
    private(set) var uncounted: [CellKey] = []

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
            if try table.subtract(sum, devices: kept.gone(sum, from: cell), from: cell, { emitter.add(cell, $0) }) {
                uncounted.append(cell)
            }
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
