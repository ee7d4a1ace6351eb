internal import GRDB
internal import Storage

/// SQL of the day files that are to be unlinked and whose rows are no longer counted:
///
///     raw_retirements(day)
enum RawRetirements {
    static func createTable(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE raw_retirements (day TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
    }

    static func add(_ day: String, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO raw_retirements (day) VALUES (?)", arguments: [day])
    }

    static func days(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT day FROM raw_retirements ORDER BY day")
    }

    /// Unlinks what is planned and forgets the plan; outside any transaction. After a crash in the middle it is repeated before
    /// anything is stored.
    ///
    /// - Returns: the days that went.
    @discardableResult
    static func carryOut(_ files: RawRowFiles, _ database: ServiceDatabase) throws -> [String] {
        let days = try database.read { try Self.days($0) }
        guard !days.isEmpty else { return [] }
        for day in days { try files.retire(day) }
        try database.write { try $0.execute(sql: "DELETE FROM raw_retirements") }
        return days
    }
}
