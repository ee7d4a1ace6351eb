import Foundation
import Models
import QoE
import Testing

@testable import Command
@testable import Laboratory

/// Files as the programs write them that people record with.
struct ImportFormatTests {
    private let douala = ImportSettings(
        zone: TimeZone(identifier: "Africa/Douala") ?? .gmt, capturedAt: 1_795_770_000_000)

    /// The values of a row by field name, in natural units.
    private func named(_ row: RecordingRow) -> [String: String] {
        row.values.reduce(into: [:]) { named, value in
            guard value.key != ColumnID.capturedAt, let field = row.kind.recordKind.field(value.key) else { return }
            named[field.name] = field.text(value.value)
        }
    }

    @Test func `a log of G-NetTrack Pro has tabs, a PLMN, a cell in two parts and other names for its figures`() throws
    {
        let text = """
            Timestamp\tLongitude\tLatitude\tOperatorname\tOperator\tNode\tCellID\tLAC\tNetworkTech\tLevel\tQual\tSNR\tLTERSSI\t\
            ARFCN\tPSC\tAltitude\tDL_bitrate\t\r
            2026.11.26_10.00.00\t9.7679\t4.0511\tA\t62401\t21\t11\t7000\t4G\t-95\t-10\t5.0\t-73\t1850\t132\t10\t1200\t\r
            2026.11.26_10.00.01\t9.7679\t4.0511\tA\t62401\t21\t11\t7000\t4G\t-340\t-\t0.0\t-113\t1850\t132\t10\t900\t\r
            2026.11.26_10.00.02\t9.7679\t4.0511\tA\t62401\t8\t18892\t9000\t3G\t-24\t-\t-\t-\t10612\t398\t10\t-\t\r

            """
        let (rows, ledger) = try FieldSamples.read(text, named: "log.txt", douala)
        #expect(rows.map(\.row.capturedAt) == [1_795_683_600_000, 1_795_683_601_000, 1_795_683_602_000])
        #expect(
            named(rows[0].row) == [
                "longitude": "9.7679", "latitude": "4.0511", "location_source": "gps", "mcc": "624", "mnc": "1",
                "cell_id": "5387", "area_code": "7000", "network_type": "LTE", "rsrp_dbm": "-95", "rsrq_db": "-10",
                "sinr_db": "5", "rssi_dbm": "-73", "channel": "1850", "pci": "132", "download_kbps": "1200",
            ])
        #expect(rows[0].row.device == "log")
        #expect(rows[1].row.values[ColumnID.rsrp] == nil && ledger.entries[.sentinel]?.count == 1)
        #expect(named(rows[2].row)["cell_id"] == "543180" && rows[2].row.values[ColumnID.rssi] == nil)
        #expect(rows[2].row.values[ColumnID.pci] == nil)
        #expect(ledger.files[0].unused == ["Altitude": 3])
    }

    @Test func `Tower Collector's serving cells are rows, and what is not read is named`() throws {
        let (rows, ledger) = try FieldSamples.read(FieldSamples.towerCollector)
        #expect(rows.count == 1 && rows[0].row.capturedAt == 1_795_773_600_250)
        #expect(
            named(rows[0].row) == [
                "latitude": "4.0511", "longitude": "9.7679", "location_source": "gps", "accuracy_m": "12.5",
                "speed_mps": "3.2", "network_type": "LTE", "mcc": "624", "mnc": "1", "area_code": "7000",
                "cell_id": "5387", "pci": "132", "channel": "1850", "rsrp_dbm": "-95", "rsrq_db": "-10",
                "rssi_dbm": "-67", "cqi": "9",
            ])
        #expect(ledger.files[0].unused == ["asu": 2, "device": 2])
    }

    @Test func `WiGLE's mobile cells are rows, access points and headsets are none`() throws {
        let (rows, ledger) = try FieldSamples.read(FieldSamples.wigle, douala)
        #expect(rows.map(\.row.capturedAt) == [1_795_770_000_000, 1_795_770_001_000])
        #expect(
            named(rows[0].row) == [
                "latitude": "4.0511", "longitude": "9.7679", "location_source": "gps", "accuracy_m": "12.5",
                "network_type": "LTE", "mcc": "624", "mnc": "1", "area_code": "7000", "cell_id": "5387",
                "channel": "1850", "rsrp_dbm": "-95",
            ])
        #expect(named(rows[1].row)["rssi_dbm"] == "-91" && rows[1].row.values[ColumnID.rsrp] == nil)
        #expect(ledger.files[0].left == 2 && ledger.entries[.zonelessTime]?.count == 2)
    }

    @Test func `NetMonster's cells are rows of the time that is given, and refused without one`() throws {
        let rows = try FieldSamples.read(FieldSamples.netMonster, named: "cells.ntm", douala).rows
        #expect(rows.map(\.row.capturedAt) == [1_795_770_000_000, 1_795_770_000_001])
        #expect(
            named(rows[0].row) == [
                "latitude": "4.0511", "longitude": "9.7679", "location_source": "gps", "network_type": "LTE",
                "mcc": "624", "mnc": "1", "area_code": "7000", "cell_id": "5387", "pci": "132", "channel": "1850",
            ])
        #expect(named(rows[1].row)["cell_id"] == "543180")
        let error = #expect(throws: RecordingError.self) { try FieldSamples.read(FieldSamples.netMonster) }
        #expect("\(try #require(error))".contains("--captured-at"))
    }

    @Test func `a separator at the end of each row is no cell`() throws {
        let text = FieldSamples.gNetTrack([:], [:]).split(separator: "\n").enumerated()
            .map { $0 == 0 ? "\($1)" : "\($1)," }.joined(separator: "\n")
        let (rows, ledger) = try FieldSamples.read(text)
        #expect(rows.count == 2 && ledger.files[0].left == 0)
    }

    @Test func `times without a zone are of the zone that is given, in every format`() throws {
        let text = """
            captured_at,latitude,longitude,rsrp_dbm
            2026-11-27 10:00:00,4.05,9.77,-95
            2026-11-27T10:00:00,4.05,9.77,-95
            2026-11-27T10:00:00+0100,4.05,9.77,-95
            """
        let (rows, ledger) = try FieldSamples.read(text, douala)
        #expect(rows.map(\.row.capturedAt) == [1_795_770_000_000, 1_795_770_000_000, 1_795_770_000_000])
        #expect(ledger.entries[.zonelessTime]?.count == 2)
    }

    @Test func `columns that nobody reads are named and counted, and --columns says what they are`() throws {
        let text = """
            captured_at,lat,lon,mcc,mnc,rat,rsrp,ping
            2026-11-27T10:00:00Z,4.0511,9.7679,624,1,LTE,-95,40
            2026-11-27T10:00:01Z,4.0512,9.7680,624,1,LTE,-96,
            """
        #expect(
            try FieldSamples.read(text).ledger.files[0].unused == ["lat": 2, "lon": 2, "rat": 2, "rsrp": 2, "ping": 1])
        var settings = ImportSettings()
        settings.columns = try ColumnMapping(
            "lat=latitude, LON=Longitude,rat=network_type,rsrp=rsrp_dbm,ping=latency_ms", columns: OwnCSV.names)
        let (rows, ledger) = try FieldSamples.read(text, settings)
        #expect(
            named(rows[0].row) == [
                "latitude": "4.0511", "longitude": "9.7679", "mcc": "624", "mnc": "1", "network_type": "LTE",
                "rsrp_dbm": "-95", "latency_ms": "40",
            ])
        #expect(ledger.files[0].unused.isEmpty)
    }

    @Test(arguments: [
        ("lat", "is not FILE'S NAME=COLUMN"), ("lat=latitud", "did you mean latitude?"),
        ("lat=xyzzy", "there are "),
        ("a=rsrp_dbm,A=cqi", "stands twice"), ("", "expected"),
    ])
    func `a --columns that cannot be meant is refused`(text: String, message: String) throws {
        let error = #expect(throws: (any Error).self) { try ColumnMapping(text, columns: OwnCSV.names) }
        #expect("\(try #require(error))".contains(message))
    }

    @Test func `a --columns of a column that the file does not have names the nearest`() throws {
        var settings = ImportSettings()
        settings.columns = try ColumnMapping("latitud=latitude", columns: OwnCSV.names)
        let error = #expect(throws: RecordingError.self) {
            try FieldSamples.read("captured_at,latitud_e\n5,4\n", settings)
        }
        #expect("\(try #require(error))".hasSuffix("there is no column latitud; did you mean latitud_e?"))
    }

    @Test(arguments: [
        "captured_at_ms,rsrp_dbm,rsrp_dbm\n5,-95,-60\n", "captured_at_ms, RSRP_dBm,rsrp_dbm \n5,-95,-60\n",
    ])
    func `a column that is read and stands twice is refused by name`(text: String) throws {
        let error = #expect(throws: RecordingError.self) { try FieldSamples.read(text) }
        #expect("\(try #require(error))".contains(":1: the header has column rsrp_dbm twice"))
    }

    @Test func `a column that is not read may stand twice`() throws {
        #expect(try FieldSamples.read("captured_at_ms,cqi,x,x\n5,7,1,2\n").rows.count == 1)
    }
}
