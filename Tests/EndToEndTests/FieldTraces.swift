import Foundation
import PipelineTesting
import TemporaryFiles
import Wire

/// What phones measured, a list of records for each drive: real where the traffic is at hand, otherwise generated.
struct FieldTraces {
    let traces: [[ReferenceRecord]]
    /// True if the records were measured in the field.
    let isReal: Bool

    /// Read once for all tests.
    static let shared = Result { try FieldTraces() }

    private init() throws {
        isReal = !Self.logs.isEmpty
        guard isReal else {
            var random = SeededRandom(seed: 624)
            traces = (0..<15).map { _ in Self.generated(1500, &random) }
            return
        }
        let home = try TemporaryDirectory()
        try Self.importing(Self.logs, to: home.path("field.csv.gz"))
        traces = try Self.traces(ofRecording: home.path("field.csv.gz"))
    }

    /// The raw logs, where `NKUL_TRAFFIC` or the place beside the repository has them.
    static var logs: [String] {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../shared/traffic").standardizedFileURL.path
        let root = ProcessInfo.processInfo.environment["NKUL_TRAFFIC"] ?? beside
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/gnettrack")) ?? []
        return names.filter { $0.hasSuffix(".csv") }.sorted().map { "\(root)/gnettrack/\($0)" }
    }

    /// `nkul import`, as an operator calls it.
    static func importing(_ logs: [String], to path: String) throws {
        let home = try TemporaryDirectory()
        let process = ServiceProcess(
            "nkul", ["import"] + logs + ["-o", path], environment: ["NKUL_HOME": home.path("home")],
            log: home.path("import.log"))
        try process.start()
        let code = process.exitCode(within: 120)
        guard code == 0 else { throw Refused(status: Int(code ?? -1), text: process.output) }
    }

    /// Reads a recording and cuts it where a phone changes or is silent for an hour.
    private static func traces(ofRecording path: String) throws -> [[ReferenceRecord]] {
        var inflater = Inflater(format: .gzip, limit: 100_000_000)
        var bytes: [UInt8] = []
        try inflater.append(Array(try Data(contentsOf: URL(fileURLWithPath: path))), into: &bytes)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let header = lines[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var phones: [String: [ReferenceRecord]] = [:]
        for line in lines.dropFirst() {
            let values = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            var row = Dictionary(uniqueKeysWithValues: zip(header, values).filter { !$1.isEmpty })
            let phone = row.removeValue(forKey: "device") ?? ""
            let kind = row.removeValue(forKey: "kind") ?? "report"
            phones[phone, default: []].append(ReferenceRecord(kind: kind, fields: row.mapValues(value)))
        }
        return phones.sorted { $0.key < $1.key }.flatMap { cut($0.value) }
    }

    private static func value(_ text: String) -> ReferenceRecord.Value {
        Double(text).map { .number($0) } ?? (text == "true" || text == "false" ? .flag(text == "true") : .text(text))
    }

    private static func cut(_ records: [ReferenceRecord]) -> [[ReferenceRecord]] {
        var traces: [[ReferenceRecord]] = [], last = -Double.infinity
        for record in records {
            let time = record.number("captured_at_ms") ?? last
            if time - last > 3_600_000 { traces.append([]) }
            traces[traces.count - 1].append(record)
            last = time
        }
        return traces
    }

    /// A phone that drives through Douala for as many seconds.
    private static func generated(_ count: Int, _ random: inout SeededRandom) -> [ReferenceRecord] {
        var latitude = 4.0 + Double(random.below(1000)) / 5000, longitude = 9.6 + Double(random.below(1000)) / 5000
        return (0..<count).map { second in
            latitude += Double(random.within(-100...110)) / 1e6
            longitude += Double(random.within(-100...110)) / 1e6
            return ReferenceRecord(
                kind: "report",
                fields: [
                    "captured_at_ms": .number(Double(second * 1000)),
                    "latitude": .number((latitude * 1e6).rounded() / 1e6),
                    "longitude": .number((longitude * 1e6).rounded() / 1e6),
                    "network_type": .text(random.chance(800) ? "LTE" : "HSPA"),
                    "mcc": .number(624), "mnc": .number(Double(random.within(1...2))),
                    "rsrp_dbm": .number(Double(random.within(-125 ... -60))),
                    "download_kbps": .number(Double(random.below(90_000))),
                    "latency_ms": .number(Double(random.within(15...900))),
                ])
        }
    }
}
