/// A lane as `nkul doctor` found it: its journal and how far its readers are.
struct DoctorLane: Sendable, Equatable, Encodable {
    struct Reader: Sendable, Equatable, Encodable {
        let service: String
        /// Last block whose effect the reader has committed.
        let block: UInt64
        /// Blocks between it and the head.
        let behind: UInt64
    }

    let lane: String
    let writer: String
    /// Last block of the journal.
    let head: UInt64
    /// The oldest block that is still stored; 0 if there is none.
    let oldest: UInt64
    /// As text: it has more digits than JSON's numbers are sure to keep.
    let generation: String
    /// Bytes of the blocks that are stored.
    let bytes: Int
    let readers: [Reader]
}
