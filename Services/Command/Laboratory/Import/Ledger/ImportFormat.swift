import Foundation

/// Reads the rows of one kind of field recording.
protocol ImportFormat {
    /// Name in the report.
    static var name: String { get }
    /// Whether a file with this header is of this kind.
    static func matches(_ header: [String]) -> Bool
    /// - Parameter device: the trace's name, from the file's.
    init(header: [String], device: String, zone: TimeZone)
    /// The row, or nil if it is left out (the ledger says why).
    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow?
    /// What only the whole trace tells: times and places.
    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger)
}

extension ImportFormat {
    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {}
}

/// A row as a format's reader gives it, with what rows after it and relocation must know.
struct ImportedRow: Sendable {
    var row: RecordingRow
    let line: Int
    /// False where the file says that the operator was lost: relocation does not invent one.
    var hasOperator = true
    /// Whether a rule changed something.
    var isMended = false
}
