import Models
import ServiceKit

/// A journal as it was found on disk.
struct DoctorJournal {
    let lane: LaneName
    let head: UInt64
    let oldest: UInt64
    let generation: UInt64
    /// When its newest block was committed; nil if it has none.
    let newest: UnixMilliseconds?

    func lane(readers: [DoctorLane.Reader], writer: ServiceName) -> DoctorLane {
        DoctorLane(
            lane: lane.rawValue, writer: writer.rawValue, head: head, oldest: min(oldest, head), generation: generation,
            readers: readers)
    }
}
