import Models
import QoE

/// Radio figures. On 2G and 3G the columns RSRP and RSRQ hold other figures than their names say.
enum GNetTrackRadio {
    static func read(
        _ log: GNetTrackCells, _ type: NetworkType, into row: inout RecordingRow, _ ledger: inout ImportLedger
    ) {
        switch type.technology {
        case .g2, .g3: readOlder(log, into: &row, &ledger)
        default: readNewer(log, type, into: &row, &ledger)
        }
        row.values[ColumnID.sinr] = log.value("SNR", ColumnID.sinr, &ledger)
        row.values[ColumnID.cqi] = log.value("CQI", ColumnID.cqi, &ledger)
        for neighbour in ["NRxRSRP", "NRxRSRQ"] where ImportCell.isLeakedMaximum(log[neighbour]) {
            ledger.note(.leakedMaximum, "\(neighbour) \(log[neighbour])")
        }
    }

    /// RXLEV or RSCP in column RSRP, RXQUAL or Ec/No in column RSRQ.
    private static func readOlder(_ log: GNetTrackCells, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        if !isSentinel(log["RSRP"], &ledger), let level = log.value("RSRP", ColumnID.rssi, &ledger) {
            ledger.note(.otherRadioFigure, log["RSRP"])
            row.values[ColumnID.rssi] = level
        }
        if ImportCell.number(log["RSRQ"], scale: 10, &ledger) != nil { ledger.note(.otherQualityFigure, log["RSRQ"]) }
    }

    private static func readNewer(
        _ log: GNetTrackCells, _ type: NetworkType, into row: inout RecordingRow, _ ledger: inout ImportLedger
    ) {
        if !isSentinel(log["RSRP"], &ledger), let level = log.value("RSRP", ColumnID.rsrp, &ledger) {
            if let range = RadioRange.range(of: ColumnID.rsrp, on: type), !range.contains(level) {
                ledger.note(.implausible, "rsrp_dbm \(log["RSRP"])")
            } else {
                row.values[ColumnID.rsrp] = level
            }
        }
        if let quality = log.value("RSRQ", ColumnID.rsrq, &ledger) {
            if quality > 0 { ledger.note(.positiveRSRQ, log["RSRQ"]) } else { row.values[ColumnID.rsrq] = quality }
        }
        row.values[ColumnID.rssi] = log.value("RSSI", ColumnID.rssi, &ledger)
    }

    private static func isSentinel(_ text: String, _ ledger: inout ImportLedger) -> Bool {
        guard let level = DecimalText.stored(text, scale: 10), level <= -2_000 else { return false }
        ledger.note(.sentinel, text)
        return true
    }
}
