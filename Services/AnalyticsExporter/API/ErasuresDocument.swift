internal import ExporterStores
internal import Models

/// The answer to `GET /v1/erasures`: all of them counted, and some of them listed, the newest first.
struct ErasuresDocument: Encodable {
    struct Counts: Encodable {
        let pending, in_progress, completed: Int
    }

    /// From request to completion, milliseconds.
    struct Took: Encodable {
        let p50_ms, max_ms: Int64
    }

    struct Entry: Encodable {
        let request: String
        /// `pending` `in_progress` `completed`.
        let state: String
        /// Who asked: `device` `operator` `restore`.
        let source: String
        /// `everything` or `part`.
        let scope: String
        let requested_at_ms, due_at_ms: Int64
        let completed_at_ms: Int64?
        /// Whether it was not completed when it had to be.
        let late: Bool
        let signed: [StoredErasure.Signature]
    }

    let now_ms: Int64
    let counts: Counts
    /// Left out if none is open.
    let oldest_open_age_ms: Int64?
    /// Open ones whose time has passed, and completed ones that took too long.
    let late, completed_late: Int
    /// Left out until one is completed.
    let completed_took: Took?
    let erasures: [Entry]
    /// The `cursor` of the next page; left out on the last.
    let next: String?

    init(_ summary: ErasureSummary, _ erasures: [StoredErasure], next: ErasureCursor?, now: UnixMilliseconds) {
        now_ms = now
        counts = Counts(
            pending: summary.counts[.pending] ?? 0, in_progress: summary.counts[.inProgress] ?? 0,
            completed: summary.counts[.completed] ?? 0)
        oldest_open_age_ms = summary.oldestOpen.map { max(0, now - $0) }
        late = summary.late
        completed_late = summary.completedLate
        completed_took = summary.median.flatMap { p50 in summary.longest.map { Took(p50_ms: p50, max_ms: $0) } }
        self.erasures = erasures.map { Entry($0, now: now) }
        self.next = next?.text
    }
}

extension ErasuresDocument.Entry {
    init(_ erasure: StoredErasure, now: UnixMilliseconds) {
        request = erasure.request
        state = erasure.state
        source = erasure.source
        scope = erasure.isWhole ? "everything" : "part"
        requested_at_ms = erasure.requestedAt
        due_at_ms = erasure.dueAt
        completed_at_ms = erasure.completedAt
        late = (erasure.completedAt ?? now) > erasure.dueAt
        signed = erasure.signed
    }
}
