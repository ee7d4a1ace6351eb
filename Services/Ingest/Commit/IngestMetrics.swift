internal import Models
internal import ServiceKit

/// What `/metrics` says of ingest. Lock-free; from any thread.
struct IngestMetrics: Sendable {
    let uploads: Counter
    let repeated: Counter
    let accepted: [UInt8: Counter]
    let duplicates: Counter
    let conflicts: Counter
    let rejected: [String: Counter]
    let refused: [Int: Counter]
    let enrolments: Counter
    let commits: Counter
    let commitLatency: Histogram
    let rowsPerCommit: Histogram
    let journalBytes: [LaneName: Gauge]

    init(_ metrics: Metrics) {
        uploads = metrics.counter("nkul_ingest_uploads_total", "Uploads that were answered with a receipt")
        repeated = metrics.counter("nkul_ingest_uploads_repeated_total", "Receipts that were given back")
        func rows(_ outcome: String, _ kind: String) -> Counter {
            metrics.counter(
                "nkul_ingest_rows_total", "Rows by what became of them", labels: ["outcome": outcome, "kind": kind])
        }
        accepted = [
            RecordKind.report.id: rows("accepted", "report"), RecordKind.feedback.id: rows("accepted", "feedback"),
        ]
        duplicates = rows("duplicate", "any")
        conflicts = rows("conflict", "any")
        var rejected: [String: Counter] = [:]
        for code in RowCode.allCases {
            rejected[code.rawValue] = metrics.counter(
                "nkul_ingest_rejected_total", "Rows that were rejected, by code", labels: ["code": code.rawValue])
        }
        self.rejected = rejected
        var refused: [Int: Counter] = [:]
        for status in [400, 401, 403, 404, 405, 413, 415, 422, 503] {
            refused[status] = metrics.counter(
                "nkul_ingest_refused_total", "Requests that were refused, by status", labels: ["status": "\(status)"])
        }
        self.refused = refused
        enrolments = metrics.counter("nkul_ingest_enrolments_total", "Devices enrolled")
        commits = metrics.counter("nkul_ingest_commits_total", "Transactions")
        commitLatency = metrics.latency("nkul_ingest_commit_seconds", "Duration of a commit, with its fsync")
        rowsPerCommit = metrics.histogram(
            "nkul_ingest_commit_rows", "Rows of a commit", bounds: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384])
        var bytes: [LaneName: Gauge] = [:]
        for lane in [LaneName.realtime, .batch, .requests] {
            bytes[lane] = metrics.gauge(
                "nkul_ingest_journal_bytes", "Bytes of a lane's journal", labels: ["lane": lane.rawValue])
        }
        journalBytes = bytes
    }

    /// Counts an answered upload.
    func count(_ receipt: Receipt, kind: RecordKind) {
        uploads.add()
        guard !receipt.isRepeated else { return repeated.add() }
        accepted[kind.id]?.add(receipt.accepted)
        var known = receipt.duplicates
        for item in receipt.items {
            if item.status == .conflict {
                conflicts.add()
                known -= 1
            }
            if item.status == .rejected, let code = item.code { rejected[code]?.add() }
        }
        if known > 0 { duplicates.add(known) }
    }
}
