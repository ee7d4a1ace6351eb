import Foundation
import Models

/// CSV with the device API's column names, or a recording.
struct OwnCSV: ImportFormat {
    static let name = "Nkul CSV"

    private let header: [String]
    private let fields: [Field?]
    private let device: String
    private var last = UnixMilliseconds.min

    static func matches(_ header: [String]) -> Bool {
        header.contains("captured_at") || header.contains("captured_at_ms")
    }

    init(header: [String], device: String, zone: TimeZone) {
        self.header = header
        fields = header.map(RecordingColumns.field(named:))
        self.device = device
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        guard cells.count == header.count else {
            ledger.note(.wrongWidth, "\(cells.count) cells, header has \(header.count)")
            return nil
        }
        var row = RecordingRow(device: device)
        for (cell, field) in fields.enumerated() where !cells[cell].isEmpty {
            if let field { read(cells[cell], field, into: &row, &ledger) }
        }
        guard row.values[ColumnID.capturedAt] != nil else {
            ledger.note(.unreadableTime, "")
            return nil
        }
        guard readWho(cells, into: &row, &ledger) else { return nil }
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

    private func readWho(_ cells: CSVRow, into row: inout RecordingRow, _ ledger: inout ImportLedger) -> Bool {
        if let place = header.firstIndex(of: RecordingColumns.device), !cells[place].isEmpty {
            row.device = cells[place]
        }
        row.kind = row.values[ColumnID.rating] == nil ? .report : .feedback
        guard let place = header.firstIndex(of: RecordingColumns.kind), !cells[place].isEmpty else { return true }
        guard let kind = RecordingKind(rawValue: cells[place]) else {
            ledger.note(.unknownKind, cells[place])
            return false
        }
        row.kind = kind
        return true
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
