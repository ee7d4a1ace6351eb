internal import GRDB
internal import Models
internal import Storage

/// Counts of accepted records by network, cell of level 13 and local day of receipt, whether they were paid for or not.
/// About nobody. In the caller's transaction.
///
///     cell_days(plmn, cell, day, records)   a cell is its code (`Quadkey.code`)
struct CellDays {
    static let migration = Migration(
        "from where records came",
        sql: """
            CREATE TABLE cell_days (
                plmn INTEGER NOT NULL, cell INTEGER NOT NULL, day INTEGER NOT NULL, records INTEGER NOT NULL,
                PRIMARY KEY (plmn, cell, day)) STRICT, WITHOUT ROWID;
            CREATE INDEX cell_days_by_day ON cell_days (day);
            """)

    private var lastDay: Int64 = .min

    /// A record counts from now on.
    ///
    /// - Parameter day: the local day of its receipt.
    mutating func note(_ record: RewardedRecord, day: Int64, _ db: Database) throws {
        guard let cell = record.cell.map({ Int64(bitPattern: $0.code) }) else { return }
        if day > lastDay {
            lastDay = day
            try db.execute(
                sql: "DELETE FROM cell_days WHERE day < ?", arguments: [day - CampaignDayDocument.cellDays])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO cell_days (plmn, cell, day, records) VALUES (?, ?, ?, 1)
                ON CONFLICT (plmn, cell, day) DO UPDATE SET records = records + 1
                """
        ).execute(arguments: [record.plmn.rawValue, cell, day])
    }

    /// How many records came from a record's cell, of its network, on a day and so many days before; nil if it has no position.
    func records(around record: RewardedRecord, day: Int64, days: Int64, _ db: Database) throws -> Int64? {
        guard let cell = record.cell.map({ Int64(bitPattern: $0.code) }) else { return nil }
        return try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce(sum(records), 0) FROM cell_days
                    WHERE plmn = ? AND cell = ? AND day BETWEEN ? AND ?
                    """), arguments: [record.plmn.rawValue, cell, day - days, day])
    }
}
