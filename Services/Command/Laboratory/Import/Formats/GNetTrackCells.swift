import Models
import QoE

/// One row of a log, its cells by column name; a column that the log does not have reads as `-`.
struct GNetTrackCells {
    let cells: CSVRow
    let columns: [String: Int]

    subscript(name: String) -> String { columns[name].map { cells[$0] } ?? "-" }

    /// The stored value of a field in a column.
    func value(_ name: String, _ column: UInt8, _ ledger: inout ImportLedger) -> Int64? {
        guard columns[name] != nil, let field = RecordKind.report.field(column) else { return nil }
        return ImportCell.value(self[name], field, &ledger)
    }
}
