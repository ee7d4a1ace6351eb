import Models
import OpenFormats
import QoE

/// G-NetTrack's log of one phone, a row a second: the text file that its Pro version writes, and the CSV that the UCC data set
/// made of it.
struct GNetTrackLog: ImportFormat {
    static let name = "G-NetTrack"
    static let needed = ["Timestamp", "Longitude", "Latitude"]
    static let networkNames = ["NetworkMode", "NetworkTech"]
    private static let used = Set(
        [
            needed, networkNames, GNetTrackNetwork.columns, GNetTrackRadio.columns, GNetTrackService.columns,
            ["Speed", "Accuracy"],
        ].joined().map(ImportHeader.folded))

    private let header: ImportHeader
    private let device: String
    private var clock: LocalTime

    static func matches(_ header: ImportHeader) -> Bool {
        header.contains(needed) && header.place(ofFirst: networkNames) != nil
    }

    static func uses(_ column: String) -> Bool { used.contains(column) }

    init(header: ImportHeader, device: String, settings: ImportSettings, path: String) {
        self.header = header
        self.device = device
        clock = LocalTime(zone: settings.zone)
    }

    mutating func read(_ cells: CSVRow, _ ledger: inout ImportLedger) -> ImportedRow? {
        let log = ImportCells(cells: cells, header: header)
        guard let time = clock.milliseconds(log["Timestamp"], &ledger) else {
            ledger.note(.unreadableTime, log["Timestamp"])
            return nil
        }
        var result = ImportedRow(row: RecordingRow(device: device), line: cells.line)
        result.row.capturedAt = time
        log.readPlace("Latitude", "Longitude", accuracy: "Accuracy", into: &result.row, &ledger)
        result.row.values[ColumnID.speed] = Self.speed(log, &ledger)
        let type = GNetTrackNetwork.read(log, into: &result, &ledger)
        GNetTrackRadio.read(log, type, into: &result.row, &ledger)
        GNetTrackService.read(log, into: &result.row, &ledger)
        return result
    }

    func finish(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {
        FrozenPosition.mark(&rows, &ledger)
        TraceClock.makeDistinct(&rows, &ledger)
    }

    /// Hundredths of m/s: km/h × 100 ÷ 3.6, rounded.
    private static func speed(_ log: ImportCells, _ ledger: inout ImportLedger) -> Int64? {
        guard log.has("Speed"), let thousandths = ImportCell.number(log["Speed"], scale: 1_000, &ledger),
            let field = RecordKind.report.field(ColumnID.speed)
        else { return nil }
        return ImportCell.plausible((min(thousandths, .max - 18) + 18) / 36, field, log["Speed"], &ledger)
    }
}

/// Throughput (kbit/s) and pings (ms, %).
enum GNetTrackService {
    static let columns = ["State", "DL_bitrate", "UL_bitrate", "PINGAVG", "PINGSTDEV", "PINGLOSS"]

    static func read(_ log: ImportCells, into row: inout RecordingRow, _ ledger: inout ImportLedger) {
        // A log without this column does not say what the phone did: its figures stand.
        if !log.has("State") || log["State"].contains("D") {
            row.values[ColumnID.download] = log.value("DL_bitrate", as: ColumnID.download, &ledger)
            row.values[ColumnID.upload] = log.value("UL_bitrate", as: ColumnID.upload, &ledger)
        } else if log.has("DL_bitrate") || log.has("UL_bitrate") {
            ledger.note(.idleThroughput, "State \(log["State"])")
        }
        let loss = log.value("PINGLOSS", as: ColumnID.loss, &ledger)
        row.values[ColumnID.loss] = loss
        if loss == 10_000 {
            ledger.note(.pingAllLost, log["PINGLOSS"])
        } else {
            row.values[ColumnID.latency] = log.value("PINGAVG", as: ColumnID.latency, &ledger)
            row.values[ColumnID.jitter] = log.value("PINGSTDEV", as: ColumnID.jitter, &ledger)
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
