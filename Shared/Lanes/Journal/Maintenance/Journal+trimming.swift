public import GRDB
public import Models

extension Journal {
    /// Blocks of one round.
    static let roundBlocks = 256

    /// One bounded round of housekeeping inside the caller's transaction; to be called about once a second: notes the
    /// readers' progress, detaches laggards, trims (event lanes) or compacts (state lanes), takes the ballast again.
    @discardableResult
    public func maintain(
        _ db: Database, progress: [ReaderProgress] = [], now: UnixMilliseconds
    ) throws -> JournalMaintenance {
        var done = JournalMaintenance()
        try note(progress, db, now: now)
        done.detached = try detachLaggards(db)
        switch lane.nature {
        case .event: try trim(db, now: now, &done)
        case .state: try compact(db, now: now, &done)
        }
        try takeBallastAgain()
        return done
    }

    private func trim(_ db: Database, now: UnixMilliseconds, _ done: inout JournalMaintenance) throws {
        let released = state.releasedThrough
        guard released > state.trimmed else { return }
        let isTight = state.bytes > limits.maximumBytes / 4 * 3 && !state.readers.isEmpty
        let rows = try Row.fetchCursor(
            try db.cachedStatement(
                sql:
                    "SELECT number, committed_at, size FROM \(schema.blocksTable) WHERE number <= ? ORDER BY number LIMIT ?"
            ),
            arguments: [Int64(released), Self.roundBlocks])
        var last: Int64 = 0
        while let row = try rows.next() {
            let committedAt: UnixMilliseconds = row[1]
            guard isTight || committedAt + limits.retention <= now else { break }
            last = row[0]
            state.bytes -= row[2] as Int
            done.trimmedBlocks += 1
        }
        guard done.trimmedBlocks > 0 else { return }
        try db.cachedStatement(sql: "DELETE FROM \(schema.blocksTable) WHERE number <= ?").execute(arguments: [last])
        state.trimmed = UInt64(last)
        done.hasMore = done.trimmedBlocks == Self.roundBlocks
        try schema.save(state, db)
    }
}

/// What one round of ``Journal/maintain(_:progress:now:)`` did.
public struct JournalMaintenance: Sendable, Equatable {
    /// Blocks that went.
    public var trimmedBlocks = 0
    /// Blocks that were rewritten without superseded records (state lanes).
    public var compactedBlocks = 0
    /// Optional readers detached now, to be counted and alarmed.
    public var detached: [String] = []
    /// True if there is more to do at once; a round is bounded so that it does not hold up commits.
    public var hasMore = false
    /// True if blocks went or were rewritten.
    public var hasChanged: Bool { trimmedBlocks + compactedBlocks > 0 }
}
