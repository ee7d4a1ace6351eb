import Models
import OpenFormats
import QoE

/// One row of a file that is no Nkul CSV, its cells by column name; a column that the file does not have reads as `-`.
struct ImportCells {
    let cells: CSVRow
    let header: ImportHeader

    subscript(name: String) -> String {
        guard let place = header[name], place < cells.count else { return "-" }
        return cells[place]
    }

    /// The first of several columns in which something stands.
    func first(of names: [String]) -> String { names.lazy.map { self[$0] }.first { $0 != "-" && !$0.isEmpty } ?? "-" }

    /// Whether the file has a column.
    func has(_ name: String) -> Bool { header[name] != nil }

    /// The stored value of a field of reports in the first of several columns in which something stands.
    func value(_ names: String..., as column: UInt8, _ ledger: inout ImportLedger) -> Int64? {
        guard names.contains(where: has), let field = RecordKind.report.field(column) else { return nil }
        return ImportCell.value(first(of: names), field, &ledger)
    }

    /// Position and its accuracy in metres; noted if there is none.
    func readPlace(
        _ latitudeName: String, _ longitudeName: String, accuracy: String, into row: inout RecordingRow,
        _ ledger: inout ImportLedger
    ) {
        let latitude = value(latitudeName, as: ColumnID.latitude, &ledger)
        let longitude = value(longitudeName, as: ColumnID.longitude, &ledger)
        guard let latitude, let longitude, (latitude, longitude) != (0, 0) else {
            return ledger.note(.noPosition, "\(self[latitudeName]), \(self[longitudeName])")
        }
        row.values[ColumnID.latitude] = latitude
        row.values[ColumnID.longitude] = longitude
        row.values[ColumnID.locationSource] = 0
        guard has(accuracy) else { return }
        row.values[ColumnID.accuracy] = ImportCell.number(self[accuracy], scale: 10, &ledger).flatMap {
            $0 > 0 ? $0 : nil
        }
    }

    /// The network type of a name, or unknown with a note.
    static func networkType(_ text: String, _ ledger: inout ImportLedger) -> NetworkType {
        if let type = Choices.networkType.code(of: text).flatMap(NetworkType.init(rawValue:)) { return type }
        ledger.note(.unknownNetwork, text)
        return .unknown
    }
}
