import Foundation
import Models
import QoE
import Testing
import Wire

@testable import Ingest
@testable import IngestUploads

/// What real recordings lose on their way in: `docs/errors.md` has the counts.
@Suite struct RecordedTrafficTests {
    /// Their columns by ours; a time and a counter are added, and `-` is no value.
    struct Source: Sendable {
        let name, folder, file: String
        let kind: RecordKind
        let columns: [(theirs: String, ours: String)]
    }

    private static let sources = [
        Source(
            name: "Android reports, 4G (BTS-APP)", folder: "other", file: "android_4g", kind: .report,
            columns: [
                ("network_type", "network_type"), ("cell_mcc", "mcc"), ("cell_mnc", "mnc"), ("cell_ci", "cell_id"),
                ("cell_tac", "area_code"), ("cell_earfcn", "channel"), ("cell_rsrp", "rsrp_dbm"),
                ("cell_rsrq", "rsrq_db"), ("cell_rssnr", "sinr_db"), ("cell_rssi", "rssi_dbm"),
            ]),
        Source(
            name: "Android reports, 5G (BTS-APP)", folder: "other", file: "android_5g", kind: .report,
            columns: [
                ("network_type", "network_type"), ("cell_mcc", "mcc"), ("cell_mnc", "mnc"), ("cell_tac", "area_code"),
                ("cell_nrarfcn", "channel"), ("cell_ssRsrp", "rsrp_dbm"), ("cell_ssRsrq", "rsrq_db"),
                ("cell_ssSinr", "sinr_db"),
            ]),
        Source(
            name: "G-NetTrack logs (UCC)", folder: "gnettrack", file: "", kind: .report,
            columns: [
                ("Longitude", "longitude"), ("Latitude", "latitude"), ("NetworkMode", "network_type"),
                ("RAWCELLID", "cell_id"), ("RSRP", "rsrp_dbm"), ("RSRQ", "rsrq_db"), ("SNR", "sinr_db"),
                ("CQI", "cqi"), ("RSSI", "rssi_dbm"), ("DL_bitrate", "download_kbps"), ("UL_bitrate", "upload_kbps"),
                ("PINGAVG", "latency_ms"), ("PINGLOSS", "loss_pct"),
            ]),
        Source(
            name: "ping runs (PAM 2025)", folder: "other", file: "ping_runs", kind: .report,
            columns: [("latency_ms", "latency_ms"), ("jitter_ms", "jitter_ms"), ("loss_pct", "loss_pct")]),
        Source(
            name: "feedback from Cameroon (Zenodo)", folder: "feedback", file: "cameroon", kind: .feedback,
            columns: [
                ("network_type", "network_type"), ("qoe_score", "rating"), ("latency_ms", "latency_ms"),
                ("dl_kbps", "download_kbps"), ("ul_kbps", "upload_kbps"), ("jitter_ms", "jitter_ms"),
                ("loss_pct", "loss_pct"),
            ]),
    ]

    @Test(
        .enabled(if: AndroidTrafficTests.isThere, "the recorded traffic is not here; set NKUL_TRAFFIC to its directory")
    )
    func `the page of errors has the counts of the recordings`() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "docs/errors.md"), encoding: .utf8)
        for source in Self.sources {
            let line = try Self.line(source)
            #expect(page.contains(line), "\(line)")
        }
    }

    /// The row of the page's table for a recording.
    private static func line(_ source: Source) throws -> String {
        let reader = UploadReader(.qoe, rowLimit: 50_000, inflatedLimit: 64 << 20, scratches: 0)
        var records = 0, rejected = 0, mended = 0, values = 0
        for file in try files(source) {
            let upload = try Reading.upload(
                Array(csv(try text(file), source).utf8), kind: source.kind, format: .csv, reader: reader)
            records += upload.rowCount
            rejected += upload.rejections.count
            mended += upload.leftOut.count
            values += upload.leftOut.values.reduce(0) { $0 + $1.count }
        }
        return "| \(source.name) | \(records) | \(mended) | \(mended + rejected) | \(rejected) | \(values) |"
    }

    private static func files(_ source: Source) throws -> [String] {
        let folder = URL(filePath: AndroidTrafficTests.directory).deletingLastPathComponent()
            .appending(path: source.folder).path
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(source.file) }.sorted()
            .map { folder + "/" + $0 }
    }

    private static func text(_ file: String) throws -> String {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        return String(
            decoding: file.hasSuffix(".gz") ? try Inflater.inflate(bytes, limit: 64 << 20) : bytes, as: UTF8.self)
    }

    private static func csv(_ text: String, _ source: Source) -> String {
        var lines = text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map(AndroidTrafficTests.cells)
        let header = lines.removeFirst()
        let columns = source.columns.compactMap { column in
            header.firstIndex(of: column.theirs).map { (place: $0, name: column.ours) }
        }
        let rows = lines.enumerated().map { number, cells in
            "\(number + 1),1760000000000"
                + columns.map { column in
                    let cell = column.place < cells.count ? cells[column.place] : ""
                    return cell == "-" ? "," : ",\"\(cell)\""
                }.joined()
        }
        return (["seq,captured_at_ms," + columns.map(\.name).joined(separator: ",")] + rows).joined(separator: "\r\n")
    }
}
