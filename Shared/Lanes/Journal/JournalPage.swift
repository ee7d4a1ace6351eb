internal import Models
public import Wire

/// Blocks read from a journal at one moment.
public struct JournalPage: Sendable {
    /// What a page may hold.
    public struct Limit: Sendable {
        public var blocks: Int
        /// Sum of `Block/size`.
        public var bytes: Int

        public init(blocks: Int, bytes: Int) {
            self.blocks = blocks
            self.bytes = bytes
        }
    }

    /// Generation, head and first block of the journal at that moment.
    public var generation: UInt64
    public var head: UInt64
    public var oldest: UInt64
    /// Ascending, with clear payloads; numbers that are missing were trimmed, compacted away or of another kind.
    public var blocks: [Block]
    /// There is nothing else of the kinds asked for up to here.
    public var through: UInt64
    /// Size of the next block if it did not fit under the limit, else 0.
    public var waitingBytes: Int

    public init(
        generation: UInt64, head: UInt64, oldest: UInt64, blocks: [Block], through: UInt64, waitingBytes: Int
    ) {
        self.generation = generation
        self.head = head
        self.oldest = oldest
        self.blocks = blocks
        self.through = through
        self.waitingBytes = waitingBytes
    }

    /// What a sealed payload is bound to: it opens only as this block of this lane.
    static func binding(_ lane: LaneName, _ number: UInt64) -> [UInt8] {
        [lane.id] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}

extension Block {
    /// Bytes the block counts for credit, the same on both sides: payload, header and subjects.
    public var size: Int { payload.count + 64 + 8 * header.subjects.count }
}
