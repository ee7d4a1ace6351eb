internal import GRDB
internal import GRDBSQLite
internal import Models
internal import Wire

/// Copies of statistics cells, in the order in which the map asks for them.
enum CellStore {
    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE cells (
                    bucket_seconds INTEGER NOT NULL, level INTEGER NOT NULL, bucket_start INTEGER NOT NULL,
                    quadkey INTEGER NOT NULL, plmn INTEGER NOT NULL, technology INTEGER NOT NULL,
                    samples INTEGER NOT NULL, devices INTEGER NOT NULL, histograms BLOB NOT NULL,
                    PRIMARY KEY (bucket_seconds, level, bucket_start, quadkey, plmn, technology)) WITHOUT ROWID;
                """)
    }

    /// Takes over the rows of a block of kind cell: absolute figures, the last one counts; a row without samples deletes.
    ///
    /// - Returns: by how much the samples of the whole (``isOfWhole(_:)``) changed.
    static func apply(_ columns: Columns, in db: Database) throws -> Int64 {
        guard let rows = CellRows(columns) else { return 0 }
        let known = try db.cachedStatement(sql: "SELECT samples FROM cells WHERE " + keyCondition)
        let upsert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let delete = try db.cachedStatement(sql: "DELETE FROM cells WHERE " + keyCondition)
        var difference: Int64 = 0
        for row in 0..<columns.rowCount {
            guard let key = rows.key(row) else { throw WireError.corrupt(what: "key of a statistics cell") }
            let samples = rows.samples(row)
            if isOfWhole(key) {
                difference += samples ?? 0
                difference -= try Int64.fetchOne(known, arguments: StatementArguments(Self.columns(of: key))) ?? 0
            }
            try run(samples == nil ? delete : upsert, db) { statement in
                bind(key, to: statement)
                guard let samples else { return sqlite3_step(statement) }
                sqlite3_bind_int64(statement, 7, samples)
                sqlite3_bind_int64(statement, 8, rows.devices(row))
                return rows.withHistograms(row) { bytes in
                    // The bytes stay where they are until the step is over; null means static to SQLite.
                    sqlite3_bind_blob(statement, 9, bytes.baseAddress, Int32(bytes.count), nil)
                    return sqlite3_step(statement)
                }
            }
        }
        return difference
    }

    /// Whether a cell is one of those that together count every sample once: days at the coarsest level, and days of
    /// what counts without a cell.
    static func isOfWhole(_ key: CellKey) -> Bool {
        key.bucketSeconds == 86_400 && (key.quadkey == nil || key.quadkey?.level == Quadkey.coarsestLevel)
    }

    /// The primary key; where there is no cell there is no level and no quadkey: both are 0.
    private static func columns(of key: CellKey) -> [Int64] {
        [
            Int64(key.bucketSeconds), Int64(key.quadkey?.level ?? 0), key.bucketStart,
            Int64(bitPattern: key.quadkey?.code ?? 0), key.plmn.rawValue, key.technology.rawValue,
        ]
    }

    private static func bind(_ key: CellKey, to statement: OpaquePointer) {
        sqlite3_bind_int64(statement, 1, Int64(key.bucketSeconds))
        sqlite3_bind_int64(statement, 2, Int64(key.quadkey?.level ?? 0))
        sqlite3_bind_int64(statement, 3, key.bucketStart)
        sqlite3_bind_int64(statement, 4, Int64(bitPattern: key.quadkey?.code ?? 0))
        sqlite3_bind_int64(statement, 5, key.plmn.rawValue)
        sqlite3_bind_int64(statement, 6, key.technology.rawValue)
    }

    /// Binds and steps without GRDB's boxes for values: cells come by the hundred thousand.
    private static func run(_ statement: Statement, _ db: Database, _ body: (OpaquePointer) -> Int32) throws {
        let code = body(statement.sqliteStatement)
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
                message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
        }
    }

    private static let keyCondition =
        "bucket_seconds = ? AND level = ? AND bucket_start = ? AND quadkey = ? AND plmn = ? AND technology = ?"
}
