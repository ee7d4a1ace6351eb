import Foundation
import Models
import OpenFormats

/// Reads the rows of one kind of field recording.
protocol ImportFormat {
    /// Name in the report.
    static var name: String { get }
    /// Whether a file with this header is of this kind.
    static func matches(_ header: ImportHeader) -> Bool
    /// Whether a column (its name in lower case) is read; the others are named in the report.
    static func uses(_ column: String) -> Bool
    /// - Parameters:
    ///   - device: the trace's name, from the file's.
    ///   - path: for messages.
    /// - Throws: ``RecordingError`` if the file needs a setting that is not given.
    init(header: ImportHeader, device: String, settings: ImportSettings, path: String) throws
    /// The row, or nil if it is left out (the ledger says why). It has at least as many cells as the header.
    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow?
    /// Cells that a row has at least.
    static func fewestCells(_ header: ImportHeader) -> Int
    /// What only the whole trace tells: times and places.
    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger)
}

extension ImportFormat {
    static func fewestCells(_ header: ImportHeader) -> Int { header.names.count }

    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {}
}

/// A row as a format's reader gives it, with what rows after it and relocation must know.
struct ImportedRow: Sendable {
    var row: RecordingRow
    let line: Int
    /// False where the file says that the operator was lost: relocation does not invent one.
    var hasOperator = true
    /// Whether the file says which phone it was.
    var hasDevice = false
    /// Whether a rule changed something.
    var isMended = false
}

/// What a call of `nkul import` says of its files.
struct ImportSettings: Sendable {
    /// Of times without one.
    var zone: TimeZone = .gmt
    var columns = ColumnMapping()
    /// When rows were captured whose file has no times.
    var capturedAt: UnixMilliseconds?
}
