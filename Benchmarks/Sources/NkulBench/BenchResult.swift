import Foundation

/// All figures. What could not be measured is left out and named in `absent` with the reason.
struct BenchResult: Encodable {
    struct Percentiles: Encodable {
        let p50, p99, p999, max: Double
        let samples: Int
    }

    /// Answers of the exporter from a year of statistics.
    struct Year: Encodable {
        struct Worst: Encodable { let days_31, year: Double }

        /// Places are cells of level 16; `cells` are the stored ones, of days, levels and networks.
        let places, reports, cells, seconds_of_sums_of_months: Int
        /// Of the slowest query.
        let worst_p99_ms: Worst
        /// Milliseconds by query.
        let days_31, year: [String: Percentiles]
        let exporter_peak_bytes: Int
    }

    /// The share of the time in which the machine stood still, see ``MachinePauses``.
    struct Paused: Encodable {
        let processor, disk: Double

        /// The mean of runs of equal length.
        init(_ latencies: [AlertLatencies]) {
            func mean(_ kind: MachinePauses.Kind) -> Double {
                let sum = latencies.reduce(0) { $0 + ($1.paused[kind] ?? 0) }
                return (sum / Double(latencies.count) * 10_000).rounded() / 10_000
            }
            processor = mean(.stolen)
            disk = mean(.disk)
        }
    }

    /// "Undisturbed" are the alerts of moments in which the machine did not stand still.
    struct AlertLatency: Encodable {
        var idle, idle_undisturbed: Percentiles?
        var idle_paused: Paused?
        var loaded, loaded_undisturbed: Percentiles?
        var loaded_paused: Paused?
    }

    /// From the receipt of the report that completes a rule to the alarm at a subscriber.
    struct Detection: Encodable {
        let idle, full_load: Percentiles?
    }

    /// One device among many: from the request to the last receipt, and what others feel of it.
    struct Erasure: Encodable {
        /// Runs of the same load.
        struct Runs: Encodable {
            let alerts, alerts_undisturbed: Percentiles?
            /// Of each alone: how much they differ without any reason.
            let alerts_of_runs, alerts_of_runs_undisturbed: [Percentiles?]
            let paused: Paused
            let reports_per_second: Double
            /// Cores in use, by service.
            let cores: [String: Double]

            init(_ runs: [BenchRun.LoadedAlerts]) {
                let count = Double(runs.count)
                alerts = BenchRun.percentiles(runs.flatMap(\.latencies.all).sorted())
                alerts_undisturbed = BenchRun.percentiles(runs.flatMap(\.latencies.undisturbed).sorted())
                alerts_of_runs = runs.map { BenchRun.percentiles($0.latencies.all) }
                alerts_of_runs_undisturbed = runs.map { BenchRun.percentiles($0.latencies.undisturbed) }
                paused = Paused(runs.map(\.latencies))
                reports_per_second = (runs.reduce(0) { $0 + $1.reportsPerSecond } / count).rounded()
                cores = runs.reduce(into: [:]) { sum, run in
                    for (name, cores) in run.cores { sum[name, default: 0] += cores / count }
                }
            }
        }

        /// The same load in pairs of runs, one without and one with erasures.
        struct Comparison: Encodable {
            /// The load, of the rate at full load.
            let share: Double
            let without, during: Runs
            /// Of each pair, what the run with erasures had for each 1 of the one without, sorted.
            let p50_ratios, p99_ratios, reports_per_second_ratios: [Double]
            /// Of the pairs of which both runs have so many undisturbed alerts that their p99 is no accident.
            let p50_ratios_undisturbed, p99_ratios_undisturbed: [Double]
            let erased: Int

            /// - Parameter without: in the order of their partners.
            init(
                share: Double, without: [BenchRun.LoadedAlerts], during: [BenchRun.LoadedAlerts], erased: Int
            ) {
                let pairs = Array(zip(during, without))
                let undisturbed = pairs.filter { pair in
                    [pair.0, pair.1].allSatisfy { $0.latencies.undisturbed.count >= Self.enough }
                }
                func ratios(
                    _ pairs: [(BenchRun.LoadedAlerts, BenchRun.LoadedAlerts)],
                    _ figure: (BenchRun.LoadedAlerts) -> Double
                ) -> [Double] {
                    pairs.map { (figure($0) / figure($1) * 1_000).rounded() / 1_000 }.sorted()
                }
                self.share = share
                self.without = Runs(without)
                self.during = Runs(during)
                p50_ratios = ratios(pairs) { Percentile.at(0.5, of: $0.latencies.all) }
                p99_ratios = ratios(pairs) { Percentile.at(0.99, of: $0.latencies.all) }
                p50_ratios_undisturbed = ratios(undisturbed) { Percentile.at(0.5, of: $0.latencies.undisturbed) }
                p99_ratios_undisturbed = ratios(undisturbed) { Percentile.at(0.99, of: $0.latencies.undisturbed) }
                reports_per_second_ratios = ratios(pairs, \.reportsPerSecond)
                self.erased = erased
            }

            /// Of which three are slower than p99.
            private static let enough = 300
        }

        let stored_reports: Int
        /// Of a few, one after another, while nothing else goes on.
        let seconds_median, seconds_longest: Double
        /// From the request to each service's receipt, of the longest.
        let receipt_seconds: [String: Double]
        /// CPU seconds of one, by service.
        let cpu_seconds: [String: Double]
        var beside_load: [Comparison] = []

        init(_ erasures: [ErasureProbe.Erasure], stored: Int, cpu: [String: Double]) {
            cpu_seconds = cpu
            let sorted = erasures.sorted { $0.seconds < $1.seconds }
            stored_reports = stored
            seconds_median = sorted[sorted.count / 2].seconds
            seconds_longest = sorted.last!.seconds
            receipt_seconds = sorted.last!.receipts
        }
    }

    struct LaneLatency: Encodable {
        let p50, p99: Double
        let samples: Int
    }

    /// Bytes a report, by copy.
    struct StoredBytes: Encodable {
        let raw, journal, open, duplicates: Double

        /// - Parameter copies: of ``StoredFiles/copies()``, a report.
        init(_ copies: [String: Double]) {
            func bytes(_ names: [String]) -> Double {
                (names.reduce(0) { $0 + (copies[$1] ?? 0) } * 100).rounded() / 100
            }
            raw = bytes(["raw"])
            journal = bytes(["journal"])
            open = bytes(["open"])
            duplicates = bytes(StoredFiles.duplicateTables)
        }

        var total: Double { ((raw + journal + open + duplicates) * 100).rounded() / 100 }
    }

    /// Of a recording that was sent in one way, by how its reports were named.
    struct RecordedBytes: Encodable {
        /// 1 if the reports were measured in the field, 0 if they were simulated.
        let real: Int
        let devices, reports, reports_of_an_upload, connections: Int
        var by_id: [String: Measured] = [:]

        struct Measured: Encodable {
            let copies: StoredBytes
            /// Raw rows without the id's entropy; all copies together.
            let raw_beside_id, total: Double
            /// The duplicate state by its tables.
            let duplicates_by_table: [String: Double]
            let reports_of_a_block: Double
        }
    }

    var end_to_end_reports_per_second: Double?
    /// The same run up to the last receipt only.
    var receipts_reports_per_second: Double?
    var end_to_end_reports_per_second_uploads_of_10: Double?
    var end_to_end_reports_per_second_uploads_of_1_to_3: Double?
    var cpu_microseconds_per_report: Double?
    var cpu_microseconds_per_report_by_service: [String: Double]?
    var cpu_microseconds_per_report_uploads_of_10: Double?
    var cpu_microseconds_per_report_uploads_of_10_by_service: [String: Double]?
    var generator_cpu_microseconds_per_report: Double?
    var floor_cpu_microseconds_per_report: Double?
    var cpu_ratio_to_floor: Double?
    var own_floor_cpu_microseconds_per_report: Double?
    var cpu_ratio_to_own_floor: Double?
    var stored_bytes_per_report: StoredBytes?
    var stored_bytes_of_recordings: [String: RecordedBytes]?
    var alert_latency_ms: AlertLatency?
    var detection_ms: Detection?
    var erasure: Erasure?
    /// Age of the heat map in seconds, by load.
    var freshness_seconds: [String: Percentiles] = [:]
    var year: Year?
    var lane_latency_us: LaneLatency?
    var ingest_cpu_ratio_to_hello: Double?
    var resident_bytes: [String: Int]?
    var enrolments_per_second: Double?
    var loaded_reports_per_second: Double?
    var sent_again: Int?
    /// Of all processors, by run.
    var stolen_percent: [String: Double] = [:]
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
