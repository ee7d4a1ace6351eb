internal import GRDB
public import Models
public import Storage
internal import Wire

/// The memory of one lane: its blocks, and how far its readers are, in the database of the writing service.
///
/// Confined to the thread that writes the database. Everything that changes takes the `Database` of a running
/// `ServiceDatabase/write(_:)`, so that blocks commit together with whatever they are the effect of; if that transaction
/// is rolled back, the journal forgets what it did in it. Readers of other threads use `read(lane:from:after:limit:sealer:)`.
public final class Journal: TransactionParticipant {
    public let lane: LaneName
    public let limits: LaneLimits
    let schema: JournalSchema
    let sealer: BlockSealer?
    var state: JournalState
    var rows: RowEstimate = RowEstimate()
    var decoder = ColumnDecoder()
    /// As ``takeRewritten()`` tells it.
    var rewrittenThrough: UInt64?
    var opened = OpenedBlocks()
    private var committedState: JournalState
    private let ballast: Ballast?

    /// Opens a lane's journal, or makes it with a new generation.
    ///
    /// - Parameters:
    ///   - readers: readers the journal waits for from the beginning, whether they have ever connected or not.
    ///   - sealer: seals the payloads at rest; nil stores them clear. Blocks of either form can be read later.
    ///   - newGeneration: a random number that is not 0, drawn once for a new journal.
    /// - Throws: `LaneError/newerJournal(lane:format:known:)`, `StorageError`.
    public init(
        lane: LaneName, in database: ServiceDatabase, limits: LaneLimits? = nil, readers: [ReaderRegistration] = [],
        sealer: BlockSealer? = nil, newGeneration: () -> UInt64 = Journal.randomGeneration
    ) throws {
        let schema = JournalSchema(lane: lane)
        let state = try database.write { db in
            try schema.create(db)
            var state = try schema.load(db) ?? JournalState(generation: newGeneration())
            for reader in readers where state.readers[reader.name]?.isRequired != reader.isRequired {
                state.register(reader)
                try schema.save(state.readers[reader.name]!, db)
            }
            try schema.save(state, db)
            return state
        }
        self.lane = lane
        self.limits = limits ?? .standard(for: lane)
        self.schema = schema
        self.sealer = sealer
        self.state = state
        committedState = state
        ballast = database.ballast
        database.add(self)
    }

    /// A generation nobody else has: 63 random bits, never 0.
    public static func randomGeneration() -> UInt64 { UInt64.random(in: 1...UInt64(Int64.max)) }

    /// Which life of the journal it is; positions of another one mean nothing here.
    public var generation: UInt64 { state.generation }
    /// Number of the last block; 0 before the first.
    public var head: UInt64 { state.head }
    /// Number of the first block that may still be there.
    public var oldest: UInt64 { state.trimmed + 1 }
    /// State lanes: removals in blocks up to here are forgotten.
    public var tombstonesGone: UInt64 { state.tombstonesGone }
    /// Bytes of the blocks that are there.
    public var bytes: Int { state.bytes }
    /// Readers that were ever here, by name.
    public var readers: [String: JournalReader] { state.readers }
    /// Readers that are optional, too far behind and hold nothing back.
    package var detachedReaders: [String] { state.readers.values.filter(\.isDetached).map(\.name).sorted() }
    /// The place after the last block.
    public var position: Position { Position(lane: lane, generation: generation, block: head) }

    /// Rows of a kind that are likely to fit into one block, by those before.
    public func blockRows(of kind: RecordKind) -> Int { rows.rows(of: kind.id) }

    /// True if input that leads to blocks here must be refused: the lane has its bytes, or the disk is full.
    public var isFull: Bool { state.bytes >= limits.maximumBytes || ballast?.isPresent == false }

    /// Throws ``LaneError/journalFull(lane:bytes:limit:)`` if ``isFull``.
    public func throwIfFull() throws {
        if isFull { throw LaneError.journalFull(lane: lane, bytes: state.bytes, limit: limits.maximumBytes) }
    }

    /// The highest number of blocks that were rewritten since this was last asked, nil if none were: who keeps blocks in memory
    /// must forget them up to there.
    public func takeRewritten() -> UInt64? {
        defer { rewrittenThrough = nil }
        return rewrittenThrough
    }

    public func transactionCommitted() { committedState = state }

    public func transactionRolledBack() { state = committedState }

    func takeBallastAgain() throws {
        if let ballast, !ballast.isPresent { _ = try ballast.restore() }
    }
}
