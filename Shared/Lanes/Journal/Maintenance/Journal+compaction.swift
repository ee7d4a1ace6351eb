internal import GRDB
internal import Models
internal import Storage
internal import Wire

/// State lanes keep the last record of each key.
///
/// A pass has two legs, both in bounded rounds. *Index*: blocks not seen yet note for each key that they have its last
/// record. *Sweep*: from the oldest block on, records that are not the last of their key go, sparse neighbours of one kind
/// are joined under the higher number, and removals older than the tombstone retention are forgotten. A reader that
/// starts from nothing at any moment still gets, in order, the last record of every key.
///
/// A record without anything but its key, and perhaps whose it was, is a tombstone: the key was removed.
extension Journal {
    /// Bytes from which another pass is worth it: twice what the last one left, and some. But a journal must be swept before it
    /// is full, for then nothing comes any more, and what is superseded would fill it for ever; the nearer the state itself
    /// comes to the limit, the less may gather beside it.
    var compactionThreshold: Int {
        let least = 4 << 20, left = state.sweptBytes
        let comfortable = 2 * left + min(max(limits.maximumBytes / 8, least), 256 << 20)
        let safe = left + max((limits.maximumBytes - left) / 2, least)
        return min(comfortable, safe)
    }

    /// Blocks and bytes of one round.
    static let compactionRound = JournalPage.Limit(blocks: 32, bytes: 2 << 20)
    /// Of one that somebody asked for: it goes through lanes that need none, and what is urgent waits for no more than this.
    static let sweepRound = JournalPage.Limit(blocks: 32, bytes: 256 << 10)

    func compact(_ db: Database, now: UnixMilliseconds, _ done: inout JournalMaintenance) throws {
        if state.sweepTarget == 0 {
            guard state.sweepWanted > 0 || state.bytes > compactionThreshold else { return }
            state.sweepTarget = state.head
            state.swept = 0
        }
        if state.indexed < state.sweepTarget {
            try index(db)
        } else {
            try sweep(db, now: now, &done)
        }
        done.hasMore = state.sweepTarget != 0
        try schema.save(state, db)
    }

    private func index(_ db: Database) throws {
        let page = try round(db, after: state.indexed)
        var index = try KeyIndex(schema, db)
        for block in page.blocks {
            guard let keys = RecordKeys(try block.columns(with: &decoder), kind: block.header.kind) else { continue }
            for row in keys.lastRows() { try index.note(row, keys, block: block.header.number) }
        }
        state.indexed = page.through
    }

    private func sweep(_ db: Database, now: UnixMilliseconds, _ done: inout JournalMaintenance) throws {
        let page = try round(db, after: state.swept)
        var index = try KeyIndex(schema, db)
        var joined: SweptRows?
        for block in page.blocks where block.header.number <= state.sweepTarget {
            let kept = try keptRows(of: block, now: now, &index)
            if let rows = joined, !rows.canTake(block.header, kept.rowCount) {
                try write(rows, db, &index, &done); joined = nil
            }
            if joined == nil && kept.rowCount == block.header.rowCount && kept.rowCount >= SweptRows.enough { continue }
            joined = joined ?? SweptRows(kind: block.header.kind, version: block.header.kindVersion)
            joined?.take(block.header, kept)
        }
        if let joined { try write(joined, db, &index, &done) }
        state.swept = page.through
        guard state.swept >= state.sweepTarget else { return }
        state.sweptBytes = state.bytes
        if state.sweepTarget >= state.sweepWanted { state.sweepWanted = 0 }
        state.sweepTarget = 0
    }

    /// Replaces the blocks that rows came from by one, under the number of the last of them.
    private func write(
        _ rows: SweptRows, _ db: Database, _ index: inout KeyIndex, _ done: inout JournalMaintenance
    ) throws {
        guard rows.isChanged, let last = rows.sources.last else { return }
        for source in rows.sources { try remove(Int64(source.number), db) }
        done.compactedBlocks += rows.sources.count
        guard rows.columns.rowCount > 0 else { return }
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(rows.columns)
        let header = last.rewritten(encoded, keyID: sealer?.keyID ?? 0, subjects: rows.columns.subjects)
        let block = Block(header: header, payload: encoded.payload)
        try insert(block, db)
        guard let keys = RecordKeys(rows.columns, kind: last.kind) else { return }
        for row in rows.movedRows where keys.presence[row] { try index.note(row, keys, block: last.number) }
    }

    /// Takes a block out of the table and its bytes out of the sum.
    func remove(_ number: Int64, _ db: Database) throws {
        opened.forget(UInt64(number))
        state.bytes -= try size(UInt64(number), db)
        try db.cachedStatement(sql: "DELETE FROM \(schema.blocksTable) WHERE number = ?").execute(arguments: [number])
    }

    func size(_ number: UInt64, _ db: Database) throws -> Int {
        let size = try db.cachedStatement(sql: "SELECT size FROM \(schema.blocksTable) WHERE number = ?")
        return try Int.fetchOne(size, arguments: [Int64(number)]) ?? 0
    }

    /// The rows of a block that are the last of their key and not tombstones past their time, and those without a key.
    private func keptRows(of block: Block, now: UnixMilliseconds, _ index: inout KeyIndex) throws -> Columns {
        let columns = try block.columns(with: &decoder)
        let header = block.header
        guard let keys = RecordKeys(columns, kind: header.kind) else { return columns }
        let isOld = header.committedAt + limits.tombstoneRetention <= now
        var kept = RowSet(count: columns.rowCount, words: keys.presence.words.map { ~$0 })
        for row in keys.lastRows() where try index.block(of: row, keys) == header.number {
            if isOld && columns.isTombstone(row) {
                try index.forget(row, keys)
                state.tombstonesGone = max(state.tombstonesGone, header.number)
            } else {
                kept[row] = true
            }
        }
        return kept.isFull ? columns : columns.gathered(kept.rows)
    }

    private func round(_ db: Database, after: UInt64) throws -> JournalPage {
        let limit = state.sweepWanted > 0 ? Self.sweepRound : Self.compactionRound
        let page = try Self.read(lane, db, after: after, kinds: nil, limit: limit, sealer: sealer)
        guard page.blocks.isEmpty && page.waitingBytes > 0 else { return page }
        let one = JournalPage.Limit(blocks: 1, bytes: page.waitingBytes)
        return try Self.read(lane, db, after: after, kinds: nil, limit: one, sealer: sealer)
    }
}

extension Columns {
    /// True if a row has nothing but its key. Whose it was may stand beside it, so that an erasure finds the key.
    func isTombstone(_ row: Int) -> Bool {
        columns.allSatisfy { $0.id == ColumnID.key || $0.id == ColumnID.device || !$0.presence[row] }
    }
}
