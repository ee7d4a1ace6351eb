import Histogram
import Synchronization

/// Counts of a run. Any thread.
final class ReplayTally: Sendable {
    struct Counts: Sendable {
        var rows = 0
        var uploads = 0
        var accepted = 0
        var duplicates = 0
        /// Rows whose counter or id was known with other content.
        var conflicts = 0
        var rejected = 0
        /// Rows of uploads that the service refused as a whole.
        var refused = 0
        var retries = 0
        /// Why rows were rejected or refused, or in conflict.
        var reasons: [String: Int] = [:]
        /// Values that were left out of accepted rows, by field and reason.
        var leftOut: [String: Int] = [:]
        /// Microseconds from when an upload was due to its receipt.
        var latency = Histogram<UInt64>(highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)
    }

    private let counts = Mutex(Counts())

    var current: Counts { counts.withLock { $0 } }

    func retry() { counts.withLock { $0.retries += 1 } }

    /// A receipt came.
    func receive(_ answer: ReplayAnswer, rows: Int, microseconds: UInt64) {
        counts.withLock { counts in
            counts.rows += rows
            counts.uploads += 1
            counts.accepted += answer.accepted
            counts.duplicates += answer.duplicates
            counts.conflicts += answer.conflicts ?? 0
            counts.rejected += answer.rejected
            counts.latency.record(min(microseconds, 3_600_000_000))
            for item in answer.items ?? [] {
                if item.status == "rejected" || item.status == "conflict" {
                    let reason = [item.field, item.code].compactMap { $0 }.joined(separator: " ")
                    counts.reasons[reason, default: 0] += 1
                } else if item.status == "accepted" {
                    for value in item.left_out ?? [] { counts.leftOut["\(value.field) \(value.code)", default: 0] += 1 }
                }
            }
        }
    }

    /// An upload was refused.
    func refuse(_ status: Int, _ code: String, rows: Int) {
        counts.withLock { counts in
            counts.rows += rows
            counts.uploads += 1
            counts.refused += rows
            counts.reasons["\(status) \(code)", default: 0] += rows
        }
    }
}
