internal import AlarmRules
internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import Wire

/// The windows' database. Every function runs in the caller's transaction.
struct WindowsStore {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// The engine as it was written last, and which run of episodes it numbers.
    struct State {
        let life: Int64
        let engine: [UInt8]
        /// Documents of the rules that it ran, by name.
        let rules: [(id: String, document: [UInt8])]
    }

    func state() throws -> State? {
        guard let row = try Row.fetchOne(db, sql: "SELECT life, engine FROM window_state") else { return nil }
        return State(life: row[0], engine: Blob.bytes(row, 1), rules: try documents("window_state_rules"))
    }

    /// Writes the engine, and forgets what it was given before.
    func write(
        _ engine: [UInt8], life: Int64, rules: [(id: String, document: [UInt8])], now: UnixMilliseconds
    ) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO window_state (only, life, engine, written_at) VALUES (1, ?, ?, ?)",
            arguments: [life, Blob.value(engine), now])
        try db.execute(sql: "DELETE FROM window_state_rules; DELETE FROM window_inputs")
        for rule in rules {
            try db.execute(
                sql: "INSERT INTO window_state_rules (id, document) VALUES (?, ?)",
                arguments: [rule.id, Blob.value(rule.document)])
        }
    }

    /// What the engine was given: a block, or the moment to which the lanes were complete.
    enum Input {
        case block(LaneBlock)
        case watermark(UnixMilliseconds)
    }

    /// - Returns: its bytes.
    func append(_ block: Block, _ sealer: BlockSealer?) throws -> Int {
        let header = block.header.encoded()
        let payload = try sealer?.seal(block.payload, additional: header) ?? block.payload
        try db.cachedStatement(sql: "INSERT INTO window_inputs (header, payload, is_sealed) VALUES (?, ?, ?)")
            .execute(arguments: [
                Blob.value(header), Blob.value(payload), sealer == nil ? 0 : 1,
            ])
        return header.count + payload.count
    }

    func append(watermark: UnixMilliseconds) throws {
        try db.cachedStatement(sql: "INSERT INTO window_inputs (watermark) VALUES (?)").execute(arguments: [watermark])
    }

    /// Everything since the engine was written, in order.
    func inputs(_ sealer: BlockSealer?, _ take: (Input) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT number, watermark, header, payload, is_sealed FROM window_inputs ORDER BY number")
        while let row = try rows.next() {
            if let watermark = row[1] as Int64? {
                try take(.watermark(watermark))
                continue
            }
            let header = Blob.bytes(row, 2), stored = Blob.bytes(row, 3)
            var payload = stored
            if row[4] == 1 {
                guard let sealer else {
                    throw StorageError(.badKey, path: "window_inputs", message: "is sealed, and there is no key")
                }
                payload = try sealer.open(stored, additional: header, place: "window_inputs/\(row[0] as Int64)")
            }
            let block = Block(header: try BlockHeader(decoding: header), payload: payload)
            try take(.block(LaneBlock(lane: .batch, block: block)))
        }
    }

    /// Rules that people set.
    func rules() throws -> [(id: String, document: [UInt8])] { try documents("window_rules") }

    func put(rule id: String, _ document: [UInt8]?) throws {
        guard let document else {
            return try db.execute(sql: "DELETE FROM window_rules WHERE id = ?", arguments: [id])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO window_rules (id, document) VALUES (?, ?)",
            arguments: [id, Blob.value(document)])
    }

    private func documents(_ table: String) throws -> [(id: String, document: [UInt8])] {
        try Row.fetchAll(db, sql: "SELECT id, document FROM \(table) ORDER BY id").map {
            ($0[0], Blob.bytes($0, 1))
        }
    }
}
