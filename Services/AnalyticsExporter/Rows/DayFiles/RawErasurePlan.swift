package import GRDB
internal import Storage

/// SQL of the rows that are to go from day files and are counted and told already:
///
///     raw_erasures(day, sequence, rows)   rows: their numbers in the block
package enum RawErasurePlan {
    /// Blocks that are rewritten at once.
    static let blocks = 4

    package static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE raw_erasures (
                    day TEXT NOT NULL, sequence INTEGER NOT NULL, rows BLOB NOT NULL, PRIMARY KEY (day, sequence))
                    STRICT, WITHOUT ROWID
                """)
    }

    package static func add(_ rows: [Int], of sequence: Int64, on day: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO raw_erasures (day, sequence, rows) VALUES (?, ?, ?)")
            .execute(arguments: [day, sequence, Blob.value(NumberList.bytes(of: rows.map(UInt64.init)))])
    }

    /// Some blocks of one day; nil if there are none.
    package static func next(_ db: Database) throws -> (day: String, blocks: [(sequence: Int64, rows: [Int])])? {
        let rows = try Row.fetchAll(
            db, sql: "SELECT day, sequence, rows FROM raw_erasures ORDER BY day, sequence LIMIT ?", arguments: [blocks])
        guard let day = rows.first?[0] as String? else { return nil }
        let same = rows.prefix { ($0[0] as String) == day }
        return (day, same.map { ($0[1], NumberList.numbers(in: Blob.bytes($0, 2)).map(Int.init)) })
    }

    /// Whether rows of a day are planned.
    package static func isAny(of day: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM raw_erasures WHERE day = ?)", arguments: [day])!
    }

    /// Numbers of the planned rows of a day, by the place of their block.
    package static func rows(of day: String, _ db: Database) throws -> [Int64: Set<UInt64>] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT sequence, rows FROM raw_erasures WHERE day = ?", arguments: [day])
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0[0], Set(NumberList.numbers(in: Blob.bytes($0, 1)))) })
    }

    /// Forgets what is planned of a day that goes as a whole.
    package static func remove(_ day: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM raw_erasures WHERE day = ?", arguments: [day])
    }

    package static func remove(_ sequences: [Int64], on day: String, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM raw_erasures WHERE day = ? AND sequence = ?")
        for sequence in sequences { try statement.execute(arguments: [day, sequence]) }
    }
}
