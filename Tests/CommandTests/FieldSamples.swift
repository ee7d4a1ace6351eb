import Foundation
import Models

@testable import Laboratory

/// Small field recordings, clean except for what a test puts in.
enum FieldSamples {
    static let gNetTrackHeader =
        "Timestamp,Longitude,Latitude,Speed,Operatorname,CellID,NetworkMode,RSRP,RSRQ,SNR,CQI,RSSI,DL_bitrate,UL_bitrate,"
        + "State,PINGAVG,PINGMIN,PINGMAX,PINGSTDEV,PINGLOSS,CELLHEX,NODEHEX,LACHEX,RAWCELLID,NRxRSRP,NRxRSRQ"
    private static let clean: [String: String] = [
        "Timestamp": "2020.02.13_13.03.24", "Longitude": "-8.388185", "Latitude": "51.935607", "Speed": "36",
        "Operatorname": "B", "CellID": "12", "NetworkMode": "LTE", "RSRP": "-100", "RSRQ": "-13", "SNR": "1.0",
        "CQI": "13",
        "RSSI": "-83", "DL_bitrate": "24", "UL_bitrate": "3", "State": "D", "PINGAVG": "64", "PINGMIN": "62",
        "PINGMAX": "66", "PINGSTDEV": "1", "PINGLOSS": "0", "CELLHEX": "C", "NODEHEX": "A81B", "LACHEX": "9CBA",
        "RAWCELLID": "11016972", "NRxRSRP": "-103.0", "NRxRSRQ": "-14.0",
    ]

    /// A log with one row for each set of cells that differ from a clean one.
    static func gNetTrack(_ rows: [String: String]...) -> String {
        let names = gNetTrackHeader.split(separator: ",").map(String.init)
        let lines = rows.map { changed in names.map { changed[$0] ?? clean[$0]! }.joined(separator: ",") }
        return ([gNetTrackHeader] + lines).joined(separator: "\n") + "\n"
    }

    /// A survey with one answer for each set of cells that differ from a clean one.
    static func survey(_ rows: [String: String]...) -> String {
        let names = [
            "row", "timestamp_local", "timestamp_utc_ms", "network_type", "qoe_score", "suggestions", "latency_ms",
            "dl_kbps",
            "ul_kbps", "jitter_ms", "loss_pct",
        ]
        let clean = [
            "1", "16/03/2025 23:50", "1742165400000", "4G LTE", "4", "Reduce prices", "138", "450", "1950", "12", "0",
        ]
        let lines = rows.map { changed in
            zip(names, clean).map { "\"" + (changed[$0] ?? $1).replacing("\"", with: "\"\"") + "\"" }.joined(
                separator: ",")
        }
        return ([names.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }

    /// Imports a text and gives its rows and what was noted.
    static func read(_ text: String, named name: String = "trace.csv", zone: TimeZone = .gmt) throws -> (
        rows: [ImportedRow], ledger: ImportLedger
    ) {
        let folder = ScratchFolder()
        var ledger = ImportLedger()
        let rows = try ImportFile.read(folder.write(name, text), zone: zone, &ledger)
        return (rows, ledger)
    }
}
