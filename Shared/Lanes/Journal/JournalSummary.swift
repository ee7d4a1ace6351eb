internal import GRDB
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
        let schema = JournalSchema(lane: lane)
        let state = try database.read { db in
            try db.tableExists(schema.stateTable) ? try schema.load(db) : nil
        }
        guard let state else { return nil }
        self.lane = lane
        generation = state.generation
        head = state.head
        oldest = state.trimmed + 1
        bytes = state.bytes
        readers = state.readers.values.sorted { $0.name < $1.name }
    }
}
