import Models
import QoE

/// Radio figures. On 2G and 3G the columns of level and quality hold other figures than RSRP and RSRQ.
enum GNetTrackRadio {
    static let columns = ["RSRP", "Level", "RSRQ", "Qual", "SNR", "CQI", "RSSI", "LTERSSI"]
    private static let levels = ["RSRP", "Level"], qualities = ["RSRQ", "Qual"]

    static func read(
        _ log: ImportCells, _ type: NetworkType, into row: inout RecordingRow, _ ledger: inout ImportLedger
    ) {
        switch type.technology {
        case .g2, .g3: readOlder(log, into: &row, &ledger)
        default: readNewer(log, into: &row, &ledger)
        }
        row.values[ColumnID.sinr] = log.value("SNR", as: ColumnID.sinr, &ledger)
        row.values[ColumnID.cqi] = log.value("CQI", as: ColumnID.cqi, &ledger)
    }

    /// RXLEV or RSCP as level, RXQUAL or Ec/No as quality.
    private static func readOlder(_ log: ImportCells, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        if let level = level(log, as: ColumnID.rssi, &ledger) {
            ledger.note(.otherRadioFigure, log.first(of: levels))
            row.values[ColumnID.rssi] = level
        }
        let quality = log.first(of: qualities)
        if ImportCell.number(quality, scale: 10, &ledger) != nil { ledger.note(.otherQualityFigure, quality) }
    }

    private static func readNewer(_ log: ImportCells, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        row.values[ColumnID.rsrp] = level(log, as: ColumnID.rsrp, &ledger)
        if let quality = log.value("RSRQ", "Qual", as: ColumnID.rsrq, &ledger) {
            if quality > 0 {
                ledger.note(.positiveRSRQ, log.first(of: qualities))
            } else {
                row.values[ColumnID.rsrq] = quality
            }
        }
        row.values[ColumnID.rssi] = log.value("RSSI", "LTERSSI", as: ColumnID.rssi, &ledger)
    }

    /// The level, unless it is one of those that stand for none: -164, -200, -340.
    private static func level(_ log: ImportCells, as column: UInt8, _ ledger: inout ImportLedger) -> Int64? {
        let text = log.first(of: levels)
        if let level = DecimalText.stored(text, scale: 10), level <= -1_600 {
            ledger.note(.sentinel, text)
            return nil
        }
        return log.value("RSRP", "Level", as: column, &ledger)
    }
}
