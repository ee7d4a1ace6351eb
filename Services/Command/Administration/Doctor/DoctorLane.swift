/// A lane as `nkul doctor` found it: its journal and how far its readers are.
struct DoctorLane: Sendable, Equatable, Encodable {
    struct Reader: Sendable, Equatable, Encodable {
        let service: String
        /// Last block whose effect the reader has committed.
        let block: UInt64
        /// Blocks between it and the head.
        let behind: UInt64
        /// Age of the oldest of them in seconds; 0 if there is none.
        let behindSeconds: Double
        /// True if the writer keeps blocks for it whatever happens.
        let required: Bool
        /// True if it was detached, by itself or by hand, and holds nothing back.
        let detached: Bool

        enum CodingKeys: String, CodingKey {
            case service, block, behind, required, detached
            case behindSeconds = "behind_seconds"
        }
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
    /// Bytes from which the writer refuses input.
    let limitBytes: Int
    let readers: [Reader]

    enum CodingKeys: String, CodingKey {
        case lane, writer, head, oldest, generation, bytes, readers
        case limitBytes = "limit_bytes"
    }
}
