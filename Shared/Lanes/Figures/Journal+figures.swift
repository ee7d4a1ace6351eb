public import GRDB
public import Models

extension Journal {
    /// How the journal and its readers stand; one look-up by primary key for each reader that is behind.
    public func figures(_ db: Database, now: UnixMilliseconds) throws -> JournalFigures {
        let readers = try state.readers.values.sorted { $0.name < $1.name }.map { reader in
            let since = try Self.committedAt(firstAfter: reader.committed, of: lane, db)
            return JournalFigures.Reader(
                reader: reader, lagBlocks: head - min(head, reader.committed),
                lagMilliseconds: since.map { max(now - $0, 0) } ?? 0)
        }
        return JournalFigures(
            lane: lane, head: head, oldest: oldest, bytes: bytes, limitBytes: limits.maximumBytes, isFull: isFull,
            readers: readers)
    }

    /// When the first block after a number was committed: since when a reader at that number is behind.
    ///
    /// - Returns: nil if there is no later block.
    public static func committedAt(
        firstAfter block: UInt64, of lane: LaneName, _ db: Database
    ) throws -> UnixMilliseconds? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT committed_at FROM \(JournalSchema(lane: lane).blocksTable) WHERE number > ? ORDER BY number LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [Int64(clamping: block)])
    }
}
