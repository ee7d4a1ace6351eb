public import GRDB
public import Models
public import Storage

/// What can be said of a journal from outside, for checks and figures.
public struct JournalSummary: Sendable {
    public var lane: LaneName
    public var generation: UInt64
    /// Last block, first block that may still be there, bytes of the blocks there.
    public var head: UInt64
    public var oldest: UInt64
    public var bytes: Int
    /// By name.
    public var readers: [JournalReader]

    /// Reads it by any connection; nil if the database has no journal of that lane.
    public init?(lane: LaneName, from database: ReadOnlyDatabase) throws {
        guard let summary = try database.read({ try JournalSummary(lane: lane, $0) }) else { return nil }
        self = summary
    }

    /// The same inside the caller's transaction.
    public init?(lane: LaneName, _ db: Database) throws {
        let schema = JournalSchema(lane: lane)
        guard try db.tableExists(schema.stateTable), let state = try schema.load(db) else { return nil }
        self.lane = lane
        generation = state.generation
        head = state.head
        oldest = state.trimmed + 1
        bytes = state.bytes
        readers = state.readers.values.sorted { $0.name < $1.name }
    }
}
