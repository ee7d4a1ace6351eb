import Foundation

/// All figures. What could not be measured is left out and named in `absent` with the reason.
struct BenchResult: Encodable {
    struct Percentiles: Encodable {
        let p50, p99, p999: Double
        let samples: Int
    }

    struct AlertLatency: Encodable {
        var idle: Percentiles?
        var loaded: Percentiles?
    }

    struct LaneLatency: Encodable {
        let p50, p99: Double
        let samples: Int
    }

    struct StoredBytes: Encodable {
        let raw, journal, open, duplicates: Double
        var total: Double { raw + journal + open + duplicates }
    }

    var end_to_end_reports_per_second: Double?
    /// The same run up to the last receipt only.
    var receipts_reports_per_second: Double?
    var end_to_end_reports_per_second_uploads_of_10: Double?
    var end_to_end_reports_per_second_uploads_of_1_to_3: Double?
    var cpu_microseconds_per_report: Double?
    var cpu_microseconds_per_report_by_service: [String: Double]?
    var cpu_microseconds_per_report_uploads_of_10: Double?
    var generator_cpu_microseconds_per_report: Double?
    var floor_cpu_microseconds_per_report: Double?
    var cpu_ratio_to_floor: Double?
    var stored_bytes_per_report: StoredBytes?
    var alert_latency_ms: AlertLatency?
    var lane_latency_us: LaneLatency?
    var ingest_cpu_ratio_to_hello: Double?
    var resident_bytes: [String: Int]?
    var enrolments_per_second: Double?
    var loaded_reports_per_second: Double?
    var sent_again: Int?
    var load: [String: Int] = [:]
    var absent: [String: String] = [:]

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// One figure a line.
    var text: String {
        guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] else {
            return json
        }
        return lines(object, prefix: "").sorted().joined(separator: "\n")
    }

    private func lines(_ object: [String: Any], prefix: String) -> [String] {
        object.flatMap { key, value -> [String] in
            let name = prefix.isEmpty ? key : "\(prefix).\(key)"
            if let inner = value as? [String: Any] { return lines(inner, prefix: name) }
            let space = String(repeating: " ", count: max(1, 56 - name.count))
            return [name + space + "\(value)"]
        }
    }
}
