import Models

/// Throughput (kbit/s) and pings (ms, %).
enum GNetTrackService {
    static func read(_ log: GNetTrackCells, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        if log["State"].contains("D") {
            row.values[ColumnID.download] = log.value("DL_bitrate", ColumnID.download, &ledger)
            row.values[ColumnID.upload] = log.value("UL_bitrate", ColumnID.upload, &ledger)
        } else {
            ledger.note(.idleThroughput, "State \(log["State"])")
        }
        let loss = log.value("PINGLOSS", ColumnID.loss, &ledger)
        row.values[ColumnID.loss] = loss
        if loss == 10_000 {
            ledger.note(.pingAllLost, log["PINGLOSS"])
        } else {
            row.values[ColumnID.latency] = log.value("PINGAVG", ColumnID.latency, &ledger)
        }
    }
}
