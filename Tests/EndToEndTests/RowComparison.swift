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
        guard flags(row) == flags(expected, received: row["received_at_ms"]) else { return false }
        return numbers.allSatisfy { name in
            let came = (row[name] as? NSNumber)?.doubleValue, meant = expected.record.number(name)
            guard let came, let meant else { return came == nil && meant == nil }
            return abs(came - meant) <= max(abs(meant) * 1e-9, name.hasSuffix("kbps") ? 0.5 : 0.05)
        }
    }

    private static func flags(_ row: [String: Any]) -> Int { (row["flags"] as? NSNumber)?.intValue ?? 0 }

    /// The model does not know when a real process received a row, and so not how old its device was then.
    private static func flags(_ expected: ReferenceRow, received: Any?) -> Int {
        var expected = expected
        if let received = received as? NSNumber { expected.arrivedAt = received.intValue }
        return expected.flags
    }
}
