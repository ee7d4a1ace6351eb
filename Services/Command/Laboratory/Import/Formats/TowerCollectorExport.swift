import Models
import OpenFormats
import QoE

/// Tower Collector's CSV: a row for each cell that was heard, the serving one and its neighbours.
struct TowerCollectorExport: ImportFormat {
    static let name = "Tower Collector"
    private static let needed = ["mcc", "mnc", "lac", "cell_id", "measured_at", "net_type", "lat", "lon"]
    /// Not `rssnr`: phones give it in dB or in tenths.
    private static let used = Set(
        needed + [
            "psc", "dbm", "accuracy", "speed", "neighboring", "rsrp", "rsrq", "rssi", "cqi", "ss_rsrp", "ss_rsrq",
            "ss_sinr", "arfcn",
        ])

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
        guard export["neighboring"].lowercased() != "true" else {
            ledger.note(.neighbourCell, export["cell_id"])
            return nil
        }
        guard let time = clock.milliseconds(export["measured_at"], &ledger) else {
            ledger.note(.unreadableTime, export["measured_at"])
            return nil
        }
        var row = RecordingRow(device: device)
        row.capturedAt = time
        export.readPlace("lat", "lon", accuracy: "accuracy", into: &row, &ledger)
        row.values[ColumnID.speed] = export.value("speed", as: ColumnID.speed, &ledger)
        let type = ImportCells.networkType(export["net_type"], &ledger)
        row.values[ColumnID.networkType] = type.rawValue
        ServingCell(
            mcc: "mcc", mnc: "mnc", area: "lac", cell: "cell_id", code: "psc", channel: "arfcn"
        ).read(export, type, into: &row, &ledger)
        Self.readSignal(export, type, into: &row, &ledger)
        return ImportedRow(row: row, line: cells.line, hasOperator: row.values[ColumnID.mcc] != nil)
    }

    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) { TraceClock.makeDistinct(&rows, &ledger) }

    /// `dbm` is RSRP on 4G and 5G, RSCP or RXLEV before; the other columns came with later versions.
    private static func readSignal(
        _ export: ImportCells, _ type: NetworkType, into row: inout RecordingRow, _ ledger: inout ImportLedger
    ) {
        switch type.technology {
        case .g5:
            row.values[ColumnID.rsrp] = export.value("ss_rsrp", "dbm", as: ColumnID.rsrp, &ledger)
            row.values[ColumnID.rsrq] = export.value("ss_rsrq", as: ColumnID.rsrq, &ledger)
            row.values[ColumnID.sinr] = export.value("ss_sinr", as: ColumnID.sinr, &ledger)
        case .g4:
            row.values[ColumnID.rsrp] = export.value("rsrp", "dbm", as: ColumnID.rsrp, &ledger)
            row.values[ColumnID.rsrq] = export.value("rsrq", as: ColumnID.rsrq, &ledger)
            row.values[ColumnID.rssi] = export.value("rssi", as: ColumnID.rssi, &ledger)
            row.values[ColumnID.cqi] = export.value("cqi", as: ColumnID.cqi, &ledger)
        default:
            row.values[ColumnID.rssi] = export.value("dbm", as: ColumnID.rssi, &ledger)
        }
    }
}

/// The columns in which an export names the cell that serves the phone.
struct ServingCell {
    let mcc, mnc, area, cell, code, channel: String

    /// The scrambling code of a 3G cell is no physical cell identity.
    func read(_ cells: ImportCells, _ type: NetworkType, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        row.values[ColumnID.mcc] = cells.value(mcc, as: ColumnID.mcc, &ledger)
        row.values[ColumnID.mnc] = cells.value(mnc, as: ColumnID.mnc, &ledger)
        row.values[ColumnID.areaCode] = cells.value(area, as: ColumnID.areaCode, &ledger)
        row.values[ColumnID.cellID] = cells.value(cell, as: ColumnID.cellID, &ledger)
        row.values[ColumnID.channel] = cells.value(channel, as: ColumnID.channel, &ledger)
        guard type.technology == .g4 || type.technology == .g5 else { return }
        row.values[ColumnID.pci] = cells.value(code, as: ColumnID.pci, &ledger)
    }
}
