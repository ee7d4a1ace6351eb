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

    /// Two cells as NetMonster lists them.
    static let netMonster = """
        4G;624;01;11;7000;21;132;4.0511;9.7679;Akwa;1850
        3G;624;02;18892;9000;8;398;4.0512;9.7680;;10612

        """

    /// A serving cell and a neighbour as Tower Collector exports them.
    static let towerCollector = """
        mcc,mnc,lac,cell_id,psc,asu,dbm,ta,lat,lon,accuracy,speed,bearing,altitude,measured_at,net_type,neighboring,device,\
        rsrp,rsrq,rssi,rssnr,cqi,rscp,csi_rsrp,csi_rsrq,csi_sinr,ss_rsrp,ss_rsrq,ss_sinr,cdma_dbm,cdma_ecio,evdo_dbm,\
        evdo_ecio,evdo_snr,ec_no,arfcn\r
        624,1,7000,5387,132,45,-95,,4.0511,9.7679,12.5,3.2,,,"2026-11-27T10:00:00.250Z",LTE,false,"Phone",-95,-10,-67,,9,,,,,,,\
        ,,,,,,,1850\r
        624,1,7000,5388,133,40,-100,,4.0511,9.7679,12.5,3.2,,,"2026-11-27T10:00:00.250Z",LTE,true,"Phone",-100,-12,-67,,,,,,,,,\
        ,,,,,,,1850\r

        """

    /// A cell, an access point and a headset as WiGLE exports them.
    static let wigle = """
        WigleWifi-1.6,appRelease=2.9,model=X,release=14,device=x,display=x,board=x,brand=x,star=Sol,body=3,subBody=0
        MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type
        62401_7000_5387,MTN,LTE;cm,2026-11-27 10:00:00,1850,,-95,4.0511,9.7679,10,12.5,,,LTE
        62402_9000_543180,Orange,UMTS;cm,2026-11-27 10:00:01,10612,,-91,4.0511,9.7679,10,12.5,,,WCDMA
        0a:2c:ef:3d:25:1b,Home,[WPA2],2026-11-27 10:00:02,6,2437,-50,4.0511,9.7679,10,12.5,,,WIFI
        63:56:ac:c4:d4:30,,Misc,2026-11-27 10:00:03,0,,-67,4.0511,9.7679,10,12.5,,,BT

        """

    /// Imports a text and gives its rows and what was noted.
    static func read(
        _ text: String, named name: String = "trace.csv", _ settings: ImportSettings = ImportSettings()
    ) throws -> (rows: [ImportedRow], ledger: ImportLedger) {
        try read(Array(text.utf8), named: name, settings)
    }

    static func read(
        _ bytes: [UInt8], named name: String = "trace.csv", _ settings: ImportSettings = ImportSettings()
    ) throws -> (rows: [ImportedRow], ledger: ImportLedger) {
        let folder = ScratchFolder()
        var ledger = ImportLedger()
        let rows = try ImportFile.read(folder.write(name, bytes), settings, &ledger)
        return (rows, ledger)
    }
}
