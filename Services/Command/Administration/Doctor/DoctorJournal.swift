import Lanes
import Models
import ServiceKit

/// A journal as it was found on disk.
struct DoctorJournal {
    let summary: JournalSummary
    /// When its newest block was committed; nil if it has none.
    let newest: UnixMilliseconds?
    /// Bytes from which its writer refuses input.
    let limitBytes: Int

    func lane(readers: [DoctorReader], writer: ServiceName) -> DoctorLane {
        DoctorLane(
            lane: summary.lane.rawValue, writer: writer.rawValue, head: summary.head,
            oldest: min(summary.oldest, summary.head), generation: "\(summary.generation)", bytes: summary.bytes,
            limitBytes: limitBytes, readers: readers.map { reader(of: $0) })
    }

    /// Whether there is room, and who takes it; nil while less than three quarters are used.
    func room(_ readers: [DoctorReader]) -> DoctorFinding? {
        guard summary.bytes >= limitBytes / 4 * 3 else { return nil }
        let subject = "lane \(summary.lane.rawValue)"
        let used = "\(summary.bytes / 1_000_000) of \(limitBytes / 1_000_000) MB"
        let advice = "\(holder(readers)) or give the lane more (NKUL_LANE_\(summary.lane.rawValue.uppercased())_BYTES)."
        guard summary.bytes < limitBytes else {
            return .problem(subject, "the journal is full (\(used)), its writer refuses input: \(advice)")
        }
        return .warning(subject, "the journal is three quarters full (\(used)): \(advice)")
    }

    /// The slowest reader for which blocks are kept.
    private func holder(_ readers: [DoctorReader]) -> String {
        let attached = readers.filter { $0.entry.map { !$0.isDetached } ?? false && $0.behind(summary) > 0 }
        guard let slowest = attached.min(by: { $0.block < $1.block }) else { return "make room on the disk" }
        let who = "blocks are kept for \(slowest.name), \(slowest.behind(summary)) behind; "
        return who + (slowest.isRunning ? "see why it is slow" : "start it")
    }

    private func reader(of found: DoctorReader) -> DoctorLane.Reader {
        DoctorLane.Reader(
            service: found.name, block: found.block, behind: found.behind(summary),
            behindSeconds: Double(found.lagMilliseconds) / 1_000, required: found.entry?.isRequired ?? false,
            detached: found.entry?.isDetached ?? false)
    }
}
