import Foundation
import Models
import QoE

/// CSV with the device API's column names, or a recording.
struct OwnCSV: ImportFormat {
    static let name = "Nkul CSV"

    private let header: [String]
    private let device: String
    private var last = UnixMilliseconds.min

    static func matches(_ header: [String]) -> Bool {
        header.contains("captured_at") || header.contains("captured_at_ms")
    }

    init(header: [String], device: String, zone: TimeZone) {
        self.header = header
        self.device = device
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        guard cells.count == header.count else {
            ledger.note(.wrongWidth, "\(cells.count) cells, header has \(header.count)")
            return nil
        }
        var row = RecordingRow(device: device)
        if let place = header.firstIndex(of: RecordingColumns.device), !cells[place].isEmpty {
            row.device = cells[place]
        }
        let named = header.firstIndex(of: RecordingColumns.kind).map { cells[$0] } ?? ""
        guard let kind = named.isEmpty ? .feedback : RecordingKind(name: named, .registered) else {
            ledger.note(.unknownKind, named)
            return nil
        }
        row.kind = kind
        for (cell, name) in header.enumerated() where !cells[cell].isEmpty {
            let field = RecordingColumns.field(named: name, of: row.kind.recordKind)
            if let field { read(cells[cell], field, into: &row, &ledger) }
        }
        if named.isEmpty, row.values[ColumnID.rating] == nil { row.kind = .report }
        guard row.values[ColumnID.capturedAt] != nil else {
            ledger.note(.unreadableTime, "")
            return nil
        }
        checkPosition(&row, &ledger)
        if row.capturedAt < last { ledger.note(.outOfOrder, "\(row.capturedAt)") }
        last = max(last, row.capturedAt)
        return ImportedRow(
            row: row, line: cells.line, hasOperator: row.values[ColumnID.mcc] != nil, isMended: ledger.isRowMended)
    }

    private func read(_ text: String, _ field: Field, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        switch field.representation {
        case .instant:
            row.values[field.column] = field.stored(text)
        case .identifier:
            if RecordIdentifier(text: text) != nil {
                row.texts[field.column] = text
            } else {
                ledger.note(.unreadableValue, text)
            }
        case .text:
            row.texts[field.column] = field.column == ColumnID.comment ? SurveyText.comment(text, &ledger) : text
        default:
            row.values[field.column] = ImportCell.value(text, field, &ledger)
        }
    }

    private func checkPosition(_ row: inout RecordingRow, _ ledger: inout ImportLedger) {
        let latitude = row.values[ColumnID.latitude], longitude = row.values[ColumnID.longitude]
        guard latitude != nil || longitude != nil,
            latitude == nil || longitude == nil || (latitude, longitude) == (0, 0)
        else { return }
        ledger.note(.noPosition, "")
        row.values[ColumnID.latitude] = nil
        row.values[ColumnID.longitude] = nil
    }
}
