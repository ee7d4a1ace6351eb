public import GRDB
internal import Models
public import Storage

extension Restoration {
    /// Whether a database was brought over already.
    public func isSettled(_ database: ServiceDatabase) throws -> Bool {
        try database.read { try RestoreRecord.isSettled(id, $0) }
    }

    /// Brings a restored database over: its journals get their new generations, its cursors move to those of the lanes they
    /// are in, at the same blocks. In one transaction, once; to be called by the service that writes it, before it opens
    /// journals or cursors.
    ///
    /// - Parameter also: what else the service has to do at that moment, in the same transaction.
    /// - Returns: false if it was done before.
    /// - Throws: ``LaneError/otherGeneration(lane:expected:found:)`` if the database is not that of the backup; errors of `also`.
    @discardableResult
    public func settle(_ database: ServiceDatabase, also: (Database) throws -> Void = { _ in }) throws -> Bool {
        try database.write { db in
            guard try !RestoreRecord.isSettled(id, db) else { return false }
            for lane in LaneName.allCases { try settleJournal(of: lane, db) }
            if try db.tableExists("cursors") { for lane in LaneName.allCases { try settleCursor(in: lane, db) } }
            try RestoreRecord.add(self, db)
            try also(db)
            return true
        }
    }

    private func settleJournal(of lane: LaneName, _ db: Database) throws {
        let schema = JournalSchema(lane: lane)
        guard try db.tableExists(schema.stateTable), var state = try schema.load(db) else { return }
        state.generation = try successor(of: state.generation, lane)
        try schema.save(state, db)
        // What a reader had said after the backup is lost with the blocks it had read: they are to be kept for it.
        for var reader in state.readers.values {
            reader.committed = min(reader.committed, block(of: reader.name, in: lane))
            try schema.save(reader, db)
        }
    }

    private func settleCursor(in lane: LaneName, _ db: Database) throws {
        guard let cursor = try Cursor.read(lane, db) else { return }
        let generation = try successor(of: cursor.generation, lane)
        try Cursor.write(Position(lane: lane, generation: generation, block: cursor.block), db)
    }

    private func successor(of generation: UInt64, _ lane: LaneName) throws -> UInt64 {
        guard let restored = self.lane(lane), restored.oldGeneration == generation else {
            throw LaneError.otherGeneration(
                lane: lane, expected: self.lane(lane)?.oldGeneration ?? 0, found: generation)
        }
        return restored.generation
    }
}
