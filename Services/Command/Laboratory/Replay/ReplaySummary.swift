import Foundation
import Histogram
internal import Models
import ServiceKit

/// What a run did, for people and programs.
struct ReplaySummary: Encodable {
    struct Latency: Encodable {
        let p50, p90, p99, p999, max: Double
    }

    let recordings: [String]
    let phones: Int
    let uploads, rows, accepted, duplicates, conflicts, rejected, refused, retries: Int
    let seconds: Double
    let reports_per_second: Double
    /// From when an upload was due to its receipt; left out if there was none.
    let latency_ms: Latency?
    let reasons: [String: Int]
    /// Values that were left out of accepted rows.
    let left_out: [String: Int]
    let interrupted: Bool

    init(
        recordings: [String], phones: Int, counts: ReplayTally.Counts, seconds: Double, interrupted: Bool
    ) {
        self.recordings = recordings
        self.phones = phones
        self.seconds = (seconds * 1_000).rounded() / 1_000
        self.interrupted = interrupted
        (uploads, rows, accepted, duplicates) = (counts.uploads, counts.rows, counts.accepted, counts.duplicates)
        (conflicts, left_out) = (counts.conflicts, counts.leftOut)
        (rejected, refused, retries, reasons) = (counts.rejected, counts.refused, counts.retries, counts.reasons)
        reports_per_second = seconds > 0 ? (Double(counts.rows) / seconds).rounded() : 0
        let latency = counts.latency
        func at(_ percentile: Double) -> Double { Double(latency.valueAtPercentile(percentile)) / 1_000 }
        latency_ms =
            latency.totalCount == 0
            ? nil : Latency(p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: Double(latency.max) / 1_000)
    }

    /// One line.
    var json: String {
        (try? SortedJSON.text(of: self)) ?? "{}"
    }

    var text: String {
        var lines = [
            "\(rows) rows in \(uploads) uploads of \(phones) phones, \(seconds) s, \(Int(reports_per_second)) reports/s",
            "accepted \(accepted), duplicates \(duplicates), conflicts \(conflicts), rejected \(rejected), refused \(refused); "
                + "sent again \(retries) times",
        ]
        for (reason, count) in reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(10) {
            lines.append("  not taken: \(count) × \(reason)")
        }
        for (value, count) in left_out.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(10) {
            lines.append("  left out: \(count) × \(value)")
        }
        if let latency = latency_ms {
            lines.append(
                "latency from the scheduled time, ms: p50 \(latency.p50)  p90 \(latency.p90)  p99 \(latency.p99)  "
                    + "p99.9 \(latency.p999)  max \(latency.max)")
        }
        if interrupted { lines.append("interrupted; run it again to go on from there") }
        return lines.joined(separator: "\n")
    }
}
