import Models
import OpenFormats
import QoE

/// WiGLE's CSV (versions 1.4 and 1.6): networks of all sorts, each where it was heard. Mobile ones are taken.
struct WiGLEExport: ImportFormat {
    static let name = "WiGLE"
    private static let needed = ["MAC", "FirstSeen", "RSSI", "CurrentLatitude", "CurrentLongitude", "Type"]
    private static let used = Set((needed + ["Channel", "AccuracyMeters"]).map(ImportHeader.folded))
    private static let types: [String: NetworkType] = ["GSM": .gsm, "WCDMA": .umts, "LTE": .lte, "NR": .nrSA]

    private let header: ImportHeader
    private let device: String
    private var clock: LocalTime

    static func matches(_ header: ImportHeader) -> Bool { header.contains(needed) }

    static func uses(_ column: String) -> Bool { used.contains(column) }

    init(header: ImportHeader, device: String, settings: ImportSettings, path: String) {
        self.header = header
        self.device = device
        clock = LocalTime(zone: settings.zone)
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        let export = ImportCells(cells: cells, header: header)
        guard let type = Self.types[export["Type"].uppercased()] else {
            ledger.note(.noCell, export["Type"])
            return nil
        }
        guard let time = clock.milliseconds(export["FirstSeen"], &ledger) else {
            ledger.note(.unreadableTime, export["FirstSeen"])
            return nil
        }
        var row = RecordingRow(device: device)
        row.capturedAt = time
        export.readPlace("CurrentLatitude", "CurrentLongitude", accuracy: "AccuracyMeters", into: &row, &ledger)
        row.values[ColumnID.networkType] = type.rawValue
        row.values[ColumnID.channel] = export.value("Channel", as: ColumnID.channel, &ledger)
        Self.readCell(export["MAC"], into: &row, &ledger)
        let level = type.technology == .g4 || type.technology == .g5 ? ColumnID.rsrp : ColumnID.rssi
        row.values[level] = export.value("RSSI", as: level, &ledger)
        return ImportedRow(row: row, line: cells.line, hasOperator: row.values[ColumnID.mcc] != nil)
    }

    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) { TraceClock.makeDistinct(&rows, &ledger) }

    /// `62401_7000_5387`: network, area and cell stand where other networks have their address.
    private static func readCell(_ text: String, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        let parts = text.split(separator: "_").map(String.init)
        guard parts.count == 3, let plmn = PLMN(text: parts[0]), let area = Int64(parts[1]), let cell = Int64(parts[2])
        else { return ledger.note(.unreadableValue, text) }
        row.values[ColumnID.mcc] = plmn.mcc
        row.values[ColumnID.mnc] = plmn.mnc
        row.values[ColumnID.areaCode] = area
        row.values[ColumnID.cellID] = cell
    }
}
