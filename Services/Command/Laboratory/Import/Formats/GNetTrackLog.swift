import Foundation
import Models
import QoE

/// G-NetTrack's CSV log of one phone: a row a second, columns as its version 2019 writes them.
struct GNetTrackLog: ImportFormat {
    static let name = "G-NetTrack"
    static let needed = ["Timestamp", "Longitude", "Latitude", "NetworkMode"]

    private let columns: [String: Int]
    private let width: Int
    private let device: String
    private let zone: TimeZone

    static func matches(_ header: [String]) -> Bool { needed.allSatisfy(header.contains) }

    init(header: [String], device: String, zone: TimeZone) {
        columns = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
        width = header.count
        self.device = device
        self.zone = zone
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        guard cells.count == width else {
            ledger.note(.wrongWidth, "\(cells.count) cells, header has \(width)")
            return nil
        }
        let log = GNetTrackCells(cells: cells, columns: columns)
        guard let time = LocalTime.milliseconds(log["Timestamp"], in: zone) else {
            ledger.note(.unreadableTime, log["Timestamp"])
            return nil
        }
        ledger.note(.zonelessTime, log["Timestamp"])
        var result = ImportedRow(row: RecordingRow(device: device), line: cells.line)
        result.row.capturedAt = time
        GNetTrackPlace.read(log, into: &result.row, &ledger)
        let type = GNetTrackNetwork.read(log, into: &result, &ledger)
        GNetTrackRadio.read(log, type, into: &result.row, &ledger)
        GNetTrackService.read(log, into: &result.row, &ledger)
        result.isMended = ledger.isRowMended
        return result
    }

    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {
        FrozenPosition.mark(&rows, &ledger)
        TraceClock.makeDistinct(&rows, &ledger)
    }
}

/// One row of a log, its cells by column name; a column that the log does not have reads as `-`.
struct GNetTrackCells {
    let cells: CSVRow
    let columns: [String: Int]

    subscript(name: String) -> String { columns[name].map { cells[$0] } ?? "-" }

    /// The stored value of a field in a column.
    func value(_ name: String, _ column: UInt8, _ ledger: inout ImportLedger) -> Int64? {
        guard columns[name] != nil, let field = RecordKind.report.field(column) else { return nil }
        return ImportCell.value(self[name], field, &ledger)
    }
}

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

/// Gives every row of a trace a time of its own.
///
/// The log counts whole seconds; a second row of the same second gets the next free millisecond. A clock that goes back is
/// noted and not corrected: nobody knows which of the two times was right.
enum TraceClock {
    static func makeDistinct(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {
        var used: Set<UnixMilliseconds> = []
        var last = UnixMilliseconds.min
        for index in rows.indices {
            let time = rows[index].row.capturedAt
            if time < last { mend(.clockWentBack, &rows[index], &ledger) }
            last = time
            guard !used.insert(time).inserted else { continue }
            var free = time + 1
            while !used.insert(free).inserted { free += 1 }
            rows[index].row.capturedAt = free
            mend(.sameSecond, &rows[index], &ledger)
        }
    }

    private static func mend(_ rule: ImportRule, _ row: inout ImportedRow, _ ledger: inout ImportLedger) {
        ledger.noteLater(rule, line: row.line, wasMended: row.isMended)
        row.isMended = true
    }
}
