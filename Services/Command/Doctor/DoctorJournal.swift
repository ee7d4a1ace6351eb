import Lanes
import Models
import ServiceKit

/// A journal as it was found on disk.
struct DoctorJournal {
    let summary: JournalSummary
    /// When its newest block was committed; nil if it has none.
    let newest: UnixMilliseconds?

    func lane(readers: [DoctorLane.Reader], writer: ServiceName) -> DoctorLane {
        DoctorLane(
            lane: summary.lane.rawValue, writer: writer.rawValue, head: summary.head,
            oldest: min(summary.oldest, summary.head), generation: "\(summary.generation)", bytes: summary.bytes,
            readers: readers)
    }

    /// Readers that hold nothing back any more, or that everything waits for.
    func missing() -> [DoctorFinding] {
        summary.readers.compactMap { reader in
            let subject = "lane \(summary.lane.rawValue) → \(reader.name)"
            if reader.isDetached {
                return .warning(subject, "detached: it was too far behind and will join again from a later block.")
            }
            guard reader.isRequired, reader.committed == 0, summary.head > 0 else { return nil }
            return .warning(subject, "has never read, and \(summary.head) blocks wait for it; is it started?")
        }
    }
}
