import Foundation
import PipelineTesting

/// Compares what came out with what the model says.
enum RowComparison {
    private static let numbers = [
        "latitude", "longitude", "rsrp_dbm", "download_kbps", "upload_kbps", "latency_ms", "rating",
    ]

    /// True if a raw row says what the accepted record said.
    static func agrees(_ row: [String: Any]?, _ expected: ReferenceRow) -> Bool {
        guard let row, row["kind"] as? String == expected.kind else { return false }
        guard row["event"] as? String == expected.record.text("event") else { return false }
        return numbers.allSatisfy { name in
            let came = (row[name] as? NSNumber)?.doubleValue, meant = expected.record.number(name)
            guard let came, let meant else { return came == nil && meant == nil }
            return abs(came - meant) <= max(abs(meant) * 1e-9, name.hasSuffix("kbps") ? 0.5 : 0.05)
        }
    }
}
