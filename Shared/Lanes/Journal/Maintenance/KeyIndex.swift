internal import GRDB
internal import Storage

/// Of a state lane, the number of the block with the last record of each key, in `lane_<name>_keys`.
///
/// Its statements are prepared for one round of housekeeping and used inside its transaction. A round looks up tens of
/// thousands of keys: their bytes go to SQLite without becoming objects.
struct KeyIndex {
    private let select: PreparedStatement
    private let upsert: PreparedStatement
    private let delete: PreparedStatement
    private var key: [UInt8] = []

    init(_ schema: JournalSchema, _ db: Database) throws {
        select = try PreparedStatement(db, "SELECT number FROM \(schema.keysTable) WHERE key = ?")
        upsert = try PreparedStatement(
            db,
            """
            INSERT INTO \(schema.keysTable) (key, number) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET number = excluded.number
            """)
        delete = try PreparedStatement(db, "DELETE FROM \(schema.keysTable) WHERE key = ?")
    }

    /// The block with the last record of a row's key; nil if the key is not known.
    mutating func block(of row: Int, _ keys: RecordKeys) throws -> UInt64? {
        try run(select, row, keys) { try $0.step() ? UInt64($0.integer(0)) : nil }
    }

    /// Notes that a block has the last record of a row's key.
    mutating func note(_ row: Int, _ keys: RecordKeys, block: UInt64) throws {
        try run(upsert, row, keys) {
            $0.bind(Int64(block), 2)
            _ = try $0.step()
        }
    }

    /// Forgets a row's key.
    mutating func forget(_ row: Int, _ keys: RecordKeys) throws {
        try run(delete, row, keys) { _ = try $0.step() }
    }

    private mutating func run<Result>(
        _ statement: PreparedStatement, _ row: Int, _ keys: RecordKeys, _ body: (PreparedStatement) throws -> Result
    ) throws -> Result {
        keys.write(row, to: &key)
        return try key.withUnsafeBytes { bytes in
            defer { statement.reset() }
            statement.bind(bytes, 1)
            return try body(statement)
        }
    }
}
