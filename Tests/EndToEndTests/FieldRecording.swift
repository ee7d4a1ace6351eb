import Foundation
import PipelineTesting
import Wire

/// A recording as this test sends it: real where the traffic is at hand, otherwise generated, of the same size.
///
/// What is added to the real traffic: times are moved, a trace at a time, to the last hours; now and then a record is
/// given an event, or a rating follows it, because field logs have no urgent records.
struct FieldRecording {
    /// Records of each phone, in order.
    private(set) var phones: [[ReferenceRecord]] = []
    /// True if the records were measured in the field.
    private(set) var isReal = false

    var recordCount: Int { phones.reduce(0) { $0 + $1.count } }

    /// - Parameter import: makes a recording file of G-NetTrack logs.
    init(seed: UInt64, now: Int, importing: (_ logs: [String], _ to: String) throws -> Void) throws {
        var random = SeededRandom(seed: seed)
        let home = try TemporaryHome()
        var traces = FieldRecording.logs.isEmpty ? [] : [[ReferenceRecord]]()
        if !FieldRecording.logs.isEmpty {
            try importing(FieldRecording.logs, home.path("field.csv.gz"))
            traces = try Self.traces(ofRecording: home.path("field.csv.gz"))
            isReal = true
        } else {
            traces = (0..<15).map { _ in Self.generated(1500, &random) }
        }
        phones = traces.enumerated().map { index, trace in
            Self.embellished(trace, endingAt: now - index * 900_000, &random)
        }
    }

    /// The raw logs, where `NKUL_TRAFFIC` or the place beside the repository has them.
    static var logs: [String] {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../shared/traffic").standardizedFileURL.path
        let root = ProcessInfo.processInfo.environment["NKUL_TRAFFIC"] ?? beside
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/gnettrack")) ?? []
        return names.filter { $0.hasSuffix(".csv") }.sorted().map { "\(root)/gnettrack/\($0)" }
    }

    /// Reads a recording (interfaces §7) and cuts it where a phone changes or is silent for an hour.
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

    private static func embellished(
        _ trace: [ReferenceRecord], endingAt end: Int, _ random: inout SeededRandom
    ) -> [ReferenceRecord] {
        let shift = Double(end) - (trace.compactMap { $0.number("captured_at_ms") }.max() ?? 0)
        var records: [ReferenceRecord] = []
        for var record in trace {
            record.fields["id"] = nil
            record.fields["captured_at"] = nil
            record.fields["captured_at_ms"] = .number((record.number("captured_at_ms") ?? 0) + shift)
            if random.chance(8) {
                record.fields["event"] = .text(random.pick(["call_drop", "no_service", "emergency"]))
            }
            records.append(named(record, records.count + 1, &random))
            if random.chance(5) {
                record.kind = "feedback"
                record.fields["rating"] = .number(Double(random.within(1...5)))
                records.append(named(record, records.count + 1, &random))
            }
        }
        return records
    }

    /// Phones count their records; some name them as well.
    private static func named(_ record: ReferenceRecord, _ seq: Int, _ random: inout SeededRandom) -> ReferenceRecord {
        var record = record
        record.fields["seq"] = .number(Double(seq))
        if random.chance(300) {
            let tail = String(random.below(1 << 40) | 1 << 40, radix: 16)
            record.fields["id"] = .text("0192f0c1-7a5b-7\(String(tail.prefix(3)))-8abc-0\(tail)".lowercased())
        }
        return record
    }
}
