internal import Engagement
internal import GRDB
internal import Models
internal import Storage

/// What devices contributed, day by day. Every function runs in the caller's transaction.
///
///     engagement_facts(device, fact)                  which records count already, by a hash of device and record
///     engagement_days(device, measure, day, amount)   how many of them on each local day of capture
struct EngagementStore {
    static let migration = Migration(
        "what devices contributed",
        sql: """
            CREATE TABLE engagement_facts (
                device INTEGER NOT NULL, fact INTEGER NOT NULL, PRIMARY KEY (device, fact)) STRICT, WITHOUT ROWID;
            CREATE TABLE engagement_days (
                device INTEGER NOT NULL, measure TEXT NOT NULL, day INTEGER NOT NULL, amount INTEGER NOT NULL,
                PRIMARY KEY (device, measure, day)) STRICT, WITHOUT ROWID;
            """)

    /// Counts a record; false if it counts already.
    func add(_ fact: EngagementFact, of device: UInt64, _ db: Database) throws -> Bool {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO engagement_facts (device, fact) VALUES (?, ?)")
            .execute(arguments: [Int64(bitPattern: device), Self.hash(device, fact.record)])
        guard db.changesCount > 0 else { return false }
        try db.cachedStatement(
            sql: """
                INSERT INTO engagement_days (device, measure, day, amount) VALUES (?, ?, ?, ?)
                ON CONFLICT (device, measure, day) DO UPDATE SET amount = amount + excluded.amount
                """
        ).execute(arguments: [Int64(bitPattern: device), fact.measure, fact.day, fact.amount])
        return true
    }

    /// All that a device has done, by measure.
    func tallies(of device: UInt64, _ db: Database) throws -> [String: DayTallies] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT measure, day, amount FROM engagement_days WHERE device = ? ORDER BY measure, day"),
            arguments: [Int64(bitPattern: device)])
        return rows.reduce(into: [:]) { tallies, row in
            tallies[row[0], default: DayTallies()].add(row[2], on: row[1])
        }
    }

    /// What a device has done of a measure on the days of a range.
    func amount(of device: UInt64, _ measure: String, _ days: Range<Int64>, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce(sum(amount), 0) FROM engagement_days
                    WHERE device = ? AND measure = ? AND day >= ? AND day < ?
                    """),
            arguments: [Int64(bitPattern: device), measure, days.lowerBound, days.upperBound]) ?? 0
    }

    /// Records of a device do not share it, and nobody reads a record out of it.
    private static func hash(_ device: UInt64, _ record: RecordIdentifier) -> Int64 {
        ShortHash.number("nkul-fact-1", device, record.high, record.low)
    }
}
