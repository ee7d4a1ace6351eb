internal import GRDB
internal import Models

/// The tables of one lane in the database of its writing service.
///
///     lane_<name>_state    one row: generation, head, sizes, where compaction is
///     lane_<name>_blocks   number → commit time, kind, size, sum of sizes so far, header, payload (sealed if a key is set)
///     lane_<name>_readers  name → required, committed, detached, seen
///     lane_<name>_keys     state lanes: kind and key → number of the block with the last record
struct JournalSchema {
    /// Rises when the tables change; written into each state row.
    static let format = 1
    let lane: LaneName

    private var prefix: String { "lane_\(lane.rawValue)" }
    var stateTable: String { "\(prefix)_state" }
    var blocksTable: String { "\(prefix)_blocks" }
    var readersTable: String { "\(prefix)_readers" }
    var keysTable: String { "\(prefix)_keys" }

    func create(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(stateTable) (
                    id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, generation INTEGER NOT NULL,
                    head INTEGER NOT NULL, trimmed INTEGER NOT NULL, bytes INTEGER NOT NULL, total INTEGER NOT NULL,
                    tombstones_gone INTEGER NOT NULL, indexed INTEGER NOT NULL, swept INTEGER NOT NULL,
                    sweep_target INTEGER NOT NULL, swept_bytes INTEGER NOT NULL);
                CREATE TABLE IF NOT EXISTS \(blocksTable) (
                    number INTEGER PRIMARY KEY, committed_at INTEGER NOT NULL, kind INTEGER NOT NULL,
                    size INTEGER NOT NULL, total INTEGER NOT NULL, header BLOB NOT NULL, payload BLOB NOT NULL);
                CREATE TABLE IF NOT EXISTS \(readersTable) (
                    name TEXT PRIMARY KEY, required INTEGER NOT NULL, committed INTEGER NOT NULL,
                    detached INTEGER NOT NULL, seen_at INTEGER NOT NULL) WITHOUT ROWID;
                """)
        guard lane.nature == .state else { return }
        try db.execute(
            sql: "CREATE TABLE IF NOT EXISTS \(keysTable) (key BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID"
        )
    }

    /// nil if the lane has never been written.
    func load(_ db: Database) throws -> JournalState? {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM \(stateTable)")) else { return nil }
        let format: Int = row["format"]
        guard format <= Self.format else {
            throw LaneError.newerJournal(lane: lane, format: format, known: Self.format)
        }
        return JournalState(
            generation: UInt64(bitPattern: row["generation"] as Int64), head: unsigned(row["head"]),
            trimmed: unsigned(row["trimmed"]), bytes: row["bytes"], total: row["total"],
            tombstonesGone: unsigned(row["tombstones_gone"]), indexed: unsigned(row["indexed"]),
            swept: unsigned(row["swept"]), sweepTarget: unsigned(row["sweep_target"]), sweptBytes: row["swept_bytes"],
            readers: try loadReaders(db))
    }

    func save(_ state: JournalState, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO \(stateTable) (id, format, generation, head, trimmed, bytes, total, tombstones_gone,
                    indexed, swept, sweep_target, swept_bytes) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Self.format, Int64(bitPattern: state.generation), Int64(state.head), Int64(state.trimmed), state.bytes,
            state.total, Int64(state.tombstonesGone), Int64(state.indexed), Int64(state.swept),
            Int64(state.sweepTarget),
            state.sweptBytes,
        ])
    }

    func save(_ reader: JournalReader, _ db: Database) throws {
        try db.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO \(readersTable) (name, required, committed, detached, seen_at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            reader.name, reader.isRequired, Int64(reader.committed), reader.isDetached, reader.seenAt,
        ])
    }

    private func loadReaders(_ db: Database) throws -> [String: JournalReader] {
        var readers: [String: JournalReader] = [:]
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT name, required, committed, detached, seen_at FROM \(readersTable)"))
        while let row = try rows.next() {
            let name: String = row[0]
            readers[name] = JournalReader(
                name: name, isRequired: row[1], committed: unsigned(row[2]), isDetached: row[3], seenAt: row[4])
        }
        return readers
    }

    private func unsigned(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
}
