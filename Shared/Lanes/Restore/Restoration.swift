public import Models

/// That a home was restored from a backup: `restored.json`, by which each service brings its own database over.
///
/// Numbers of blocks go on where the backup ended; generations are new, so that nobody takes a block of the life that was lost
/// for one of the present life.
public struct Restoration: Codable, Sendable, Equatable {
    /// A lane whose journal was restored.
    public struct Lane: Codable, Sendable, Equatable {
        public var lane: LaneName
        /// That of the backup.
        public var oldGeneration: UInt64
        /// The last block that was in the backup.
        public var head: UInt64
        /// The one from now on, random.
        public var generation: UInt64

        public init(lane: LaneName, oldGeneration: UInt64, head: UInt64, generation: UInt64) {
            self.lane = lane
            self.oldGeneration = oldGeneration
            self.head = head
            self.generation = generation
        }

        enum CodingKeys: String, CodingKey {
            case lane, head, generation
            case oldGeneration = "old_generation"
        }
    }

    /// Where a reader was in a lane.
    public struct Reader: Codable, Sendable, Equatable {
        public var lane: LaneName
        /// The name by which the writer knows it.
        public var reader: String
        /// The last block whose effects were in the backup.
        public var block: UInt64

        public init(lane: LaneName, reader: String, block: UInt64) {
            self.lane = lane
            self.reader = reader
            self.block = block
        }
    }

    /// Of this restore, random.
    public var id: String
    /// When the backup was made, Unix milliseconds.
    public var backedUpAt: UnixMilliseconds
    /// When it was restored, Unix milliseconds.
    public var restoredAt: UnixMilliseconds
    public var lanes: [Lane]
    public var readers: [Reader]
    /// Requests of erasures since the backup that concern devices in it: until they have come, nobody may be paid.
    public var awaitedErasures: [String]

    public init(
        id: String, backedUpAt: UnixMilliseconds, restoredAt: UnixMilliseconds, lanes: [Lane], readers: [Reader],
        awaitedErasures: [String] = []
    ) {
        self.id = id
        self.backedUpAt = backedUpAt
        self.restoredAt = restoredAt
        self.lanes = lanes
        self.readers = readers
        self.awaitedErasures = awaitedErasures
    }

    enum CodingKeys: String, CodingKey {
        case id, lanes, readers
        case backedUpAt = "backed_up_at_ms"
        case restoredAt = "restored_at_ms"
        case awaitedErasures = "awaited_erasures"
    }

    /// How far numbers go on that others may know from the life that was lost: the further the older the backup, so that another
    /// restore of the same one gives none of them again, either.
    ///
    /// - Parameter rate: more numbers than are given out in a second, year in, year out.
    public func leap(atLeast minimum: Int64, perSecond rate: Int64) -> Int64 {
        minimum + max(restoredAt - backedUpAt, 0) * rate / 1_000
    }

    func lane(_ name: LaneName) -> Lane? { lanes.first { $0.lane == name } }

    /// Where a reader was; before the first block if it had none.
    func block(of reader: String, in lane: LaneName) -> UInt64 {
        readers.first { $0.lane == lane && $0.reader == reader }?.block ?? 0
    }
}
