import Foundation
import HTTPTypes
import Models
import Testing
import Wire

/// Real reports as Android delivers them, through the device API with their raw values. They have no clock or position: a
/// time and a counter are added, nothing else is touched.
@Suite struct AndroidTrafficTests {
    /// `NKUL_TRAFFIC`, or `../shared/traffic` beside the package.
    static let directory: String = {
        if let given = ProcessInfo.processInfo.environment["NKUL_TRAFFIC"] { return given + "/other" }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/traffic/other").path
    }()

    static let isThere = FileManager.default.fileExists(atPath: directory + "/android_4g_reports.csv.gz")

    enum Source: CaseIterable {
        case lte, nrSS, nrCSI

        var columns: [String: String] {
            switch self {
            case .lte: columns4G
            case .nrSS: columns5G
            case .nrCSI: csi5G
            }
        }
    }

    /// Their columns by ours.
    static let columns4G = [
        "network_type": "network_type", "cell_mcc": "mcc", "cell_mnc": "mnc", "cell_ci": "cell_id",
        "cell_tac": "area_code",
        "cell_earfcn": "channel", "cell_rsrp": "rsrp_dbm", "cell_rsrq": "rsrq_db", "cell_rssnr": "sinr_db",
        "cell_rssi": "rssi_dbm",
        "cell_bandwidth": "download_kbps",
    ]
    static let columns5G = [
        "network_type": "network_type", "cell_mcc": "mcc", "cell_mnc": "mnc", "cell_tac": "area_code",
        "cell_nrarfcn": "channel",
        "cell_ssRsrp": "rsrp_dbm", "cell_ssRsrq": "rsrq_db", "cell_ssSinr": "sinr_db", "cell_bands": "plmn_source",
    ]
    static let csi5G = [
        "network_type": "network_type", "cell_csiRsrp": "rsrp_dbm", "cell_csiRsrq": "rsrq_db",
        "cell_csiSinr": "sinr_db",
    ]

    @Test(
        .enabled(if: isThere, "the recorded traffic is not here; set NKUL_TRAFFIC to its directory"),
        arguments: Source.allCases, [true, false])
    func `every sentinel list and text gets its answer`(source: Source, asCSV: Bool) async throws {
        let rows = try Self.rows(source == .lte ? "4g" : "5g", source.columns)
        #expect(rows.count == 1_000)
        let bench = try await APIBench(), token = try await bench.enrol()
        for first in stride(from: 0, to: rows.count, by: 100) {
            let part = Array(rows[first..<first + 100])
            let body = asCSV ? Self.csv(part, first) : Self.json(part, first)
            let answer = try await bench.send(
                body, token: token, path: "/v1/reports?receipts=all",
                headers: [.contentType: asCSV ? "text/csv" : "application/json"])
            #expect(answer.status == 200 || answer.code == "nothing_readable")
            #expect(answer.items.count == 100)
            for (item, row) in zip(answer.items, part) {
                let wrong = Self.wrong(row), status = item["status"] as? String
                guard wrong.count < row.filter({ !$0.value.isEmpty }).count else {
                    #expect(
                        status == "rejected" && (item["field"] as? String).map(wrong.contains) == true,
                        "\(row): \(item)")
                    continue
                }
                let left = (item["left_out"] as? [[String: String]] ?? []).compactMap { $0["field"] }
                #expect(status == "accepted" && Set(left) == wrong && left.count == wrong.count, "\(row): \(item)")
            }
        }
    }

    private static func wrong(_ row: [String: String]) -> Set<String> {
        let placeholder = ["rsrp_dbm": -44.0, "rsrq_db": -3, "sinr_db": 40]
        let isPlaceholder = placeholder.allSatisfy { name, value in row[name].flatMap(Double.init) == value }
        return Set(row.filter { isWrong($0.key, $0.value) }.keys).union(isPlaceholder ? Set(placeholder.keys) : [])
    }

    /// What no field may hold: lists, texts where a number belongs, sentinels, and figures that are not plausible.
    private static func isWrong(_ field: String, _ value: String) -> Bool {
        if value.isEmpty || field == "network_type" { return false }
        guard let number = Double(value) else { return true }
        if number == 2_147_483_647 { return true }
        let ranges: [String: ClosedRange<Double>] = [
            "rsrq_db": -43...20, "sinr_db": -23...40, "rssi_dbm": -121 ... -25, "area_code": 0...16_777_215,
            "channel": 0...3_279_165, "cell_id": 0...268_435_455,
        ]
        if field == "rsrp_dbm" { return !(-156 ... -31 ~= number) || number > -43 }
        return ranges[field].map { !$0.contains(number) } ?? false
    }

    private static func rows(_ name: String, _ columns: [String: String]) throws -> [[String: String]] {
        let packed = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/android_\(name)_reports.csv.gz"))
        let text = String(decoding: try Inflater.inflate([UInt8](packed), limit: 64 << 20), as: UTF8.self)
        // No cell of these files has a quote, a comma or a line end in it but the list of bands.
        var lines = text.split(whereSeparator: \.isNewline).map(cells)
        let header = lines.removeFirst()
        return lines.map { cells in
            var row: [String: String] = [:]
            for (name, value) in zip(header, cells) { if let ours = columns[name] { row[ours] = value } }
            return row
        }
    }

    static func cells(_ line: Substring) -> [String] {
        var cells = [""], quoted = false
        for character in line {
            if character == "\"" {
                quoted.toggle()
            } else if character == "," && !quoted {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
        }
        return cells
    }

    private static func json(_ rows: [[String: String]], _ first: Int) -> String {
        let objects = rows.enumerated().map { index, row -> String in
            let members = row.filter { !$0.value.isEmpty }.map { name, value in
                "\"\(name)\":" + (Double(value) == nil ? "\"\(value)\"" : value)
            }
            return #"{"seq":\#(first + index + 1),"captured_at_ms":1760000000000,"# + members.joined(separator: ",")
                + "}"
        }
        return "[" + objects.joined(separator: ",\n") + "]"
    }

    private static func csv(_ rows: [[String: String]], _ first: Int) -> String {
        let names = rows[0].keys.sorted()
        let lines = rows.enumerated().map { index, row in
            "\(first + index + 1),1760000000000," + names.map { "\"\(row[$0] ?? "")\"" }.joined(separator: ",")
        }
        return (["seq,captured_at_ms," + names.joined(separator: ",")] + lines).joined(separator: "\r\n")
    }
}
