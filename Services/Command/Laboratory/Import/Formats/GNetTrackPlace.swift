import Models
import QoE

/// Where the phone was and how fast: degrees and km/h.
enum GNetTrackPlace {
    static func read(_ log: GNetTrackCells, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        let latitude = log.value("Latitude", ColumnID.latitude, &ledger)
        let longitude = log.value("Longitude", ColumnID.longitude, &ledger)
        if let latitude, let longitude, (latitude, longitude) != (0, 0) {
            row.values[ColumnID.latitude] = latitude
            row.values[ColumnID.longitude] = longitude
            row.values[ColumnID.locationSource] = 0
        } else {
            ledger.note(.noPosition, "\(log["Latitude"]), \(log["Longitude"])")
        }
        row.values[ColumnID.speed] = speed(log, &ledger)
    }

    /// Hundredths of m/s: km/h × 100 ÷ 3.6, rounded.
    private static func speed(_ log: GNetTrackCells, _ ledger: inout ImportLedger) -> Int64? {
        guard let thousandths = ImportCell.number(log["Speed"], scale: 1_000, &ledger),
            let field = RecordKind.report.field(ColumnID.speed)
        else { return nil }
        return ImportCell.plausible((thousandths + 18) / 36, field, log["Speed"], &ledger)
    }
}
