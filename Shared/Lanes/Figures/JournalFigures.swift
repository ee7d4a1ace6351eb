public import Models

/// How a journal and its readers stand at one moment, for figures and for people.
public struct JournalFigures: Sendable, Equatable {
    /// A reader of the lane, as the writer knows it.
    public struct Reader: Sendable, Equatable {
        public let reader: JournalReader
        /// Blocks that it has not committed.
        public let lagBlocks: UInt64
        /// Age of the oldest of them in milliseconds; 0 if there is none.
        public let lagMilliseconds: Int64

        public init(reader: JournalReader, lagBlocks: UInt64, lagMilliseconds: Int64) {
            self.reader = reader
            self.lagBlocks = lagBlocks
            self.lagMilliseconds = lagMilliseconds
        }
    }

    public let lane: LaneName
    /// Number of the last block.
    public let head: UInt64
    /// Number of the first block that may still be there.
    public let oldest: UInt64
    /// Bytes of the blocks that are there, and from how many on input is refused.
    public let bytes: Int
    public let limitBytes: Int
    /// True if input is refused now: ``Journal/isFull``.
    public let isFull: Bool
    /// By name.
    public let readers: [Reader]

    public init(
        lane: LaneName, head: UInt64, oldest: UInt64, bytes: Int, limitBytes: Int, isFull: Bool, readers: [Reader]
    ) {
        self.lane = lane
        self.head = head
        self.oldest = oldest
        self.bytes = bytes
        self.limitBytes = limitBytes
        self.isFull = isFull
        self.readers = readers
    }
}
