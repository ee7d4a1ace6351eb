import Foundation
import Models

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
