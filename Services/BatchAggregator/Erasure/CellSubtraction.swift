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
            emit = try sink.finish()
        }
    }

    private func sum(_ rows: FoldRows, _ day: Int64, to sink: inout some CellSink) throws {
        var rows = rows
        rows.cut(parts: 1)
        guard let part = rows.takePart() else { return }
        slice.load(part)
        try pyramid.add(slice, day: day, to: &sink)
    }
}
