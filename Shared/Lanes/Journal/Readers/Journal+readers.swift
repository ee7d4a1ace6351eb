public import GRDB
internal import Models

extension Journal {
    /// Notes what readers said, inside the caller's transaction.
    func note(_ progress: [ReaderProgress], _ db: Database, now: UnixMilliseconds) throws {
        for said in progress {
            if state.readers[said.reader.name]?.isRequired != said.reader.isRequired { state.register(said.reader) }
            guard var reader = state.readers[said.reader.name] else { continue }
            reader.committed = max(reader.committed, min(said.committed, state.head))
            reader.seenAt = now
            if said.isJoining { reader.isDetached = false }
            state.readers[reader.name] = reader
            try schema.save(reader, db)
        }
    }

    /// Forgets a reader for good, so that it no longer holds blocks back.
    public func remove(reader name: String, _ db: Database) throws {
        state.readers[name] = nil
        try db.execute(sql: "DELETE FROM \(schema.readersTable) WHERE name = ?", arguments: [name])
    }

    /// Stops waiting for a reader until it joins again; one that is not there is left alone.
    public func detach(reader name: String, _ db: Database) throws {
        guard var reader = state.readers[name] else { return }
        reader.isDetached = true
        state.readers[name] = reader
        try schema.save(reader, db)
    }

    /// Gives the journal a new generation: to be called when it was restored from a copy. Readers of the old one stop.
    package func renewGeneration(_ db: Database, to generation: UInt64 = Journal.randomGeneration()) throws {
        state.generation = generation
        try schema.save(state, db)
    }

    /// Detaches optional readers that are too far behind; returns their names.
    func detachLaggards(_ db: Database) throws -> [String] {
        var detached: [String] = []
        for var reader in state.readers.values where !reader.isRequired && !reader.isDetached {
            guard try bytesBehind(reader.committed, db) > limits.optionalReaderBytes else { continue }
            reader.isDetached = true
            state.readers[reader.name] = reader
            try schema.save(reader, db)
            detached.append(reader.name)
        }
        return detached.sorted()
    }

    private func bytesBehind(_ committed: UInt64, _ db: Database) throws -> Int {
        guard committed < state.head else { return 0 }
        let statement = try db.cachedStatement(
            sql: "SELECT total FROM \(schema.blocksTable) WHERE number <= ? ORDER BY number DESC LIMIT 1")
        guard let total = try Int.fetchOne(statement, arguments: [Int64(committed)]) else { return state.bytes }
        return state.total - total
    }
}

extension JournalState {
    /// Adds a reader or changes what it is; how far it is stays.
    mutating func register(_ reader: ReaderRegistration) {
        let known = readers[reader.name]
        readers[reader.name] = JournalReader(
            name: reader.name, isRequired: reader.isRequired, committed: known?.committed ?? 0,
            isDetached: reader.isRequired ? false : known?.isDetached ?? false, seenAt: known?.seenAt ?? 0)
    }

    /// The last block that no attached reader still needs.
    var releasedThrough: UInt64 {
        readers.values.filter { !$0.isDetached }.map(\.committed).min() ?? head
    }
}

/// What a reader said about itself on a lane.
public struct ReaderProgress: Sendable, Equatable {
    public var reader: ReaderRegistration
    /// The last block whose effects it has committed.
    public var committed: UInt64
    /// True if it opened a session since the last word: a detached reader is attached again.
    package var isJoining: Bool

    public init(reader: ReaderRegistration, committed: UInt64, isJoining: Bool) {
        self.reader = reader
        self.committed = committed
        self.isJoining = isJoining
    }
}
