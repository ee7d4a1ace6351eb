package import GRDB
package import Models
internal import Storage

/// Sums of the day cells of whole months, so that a year is twelve of them. Every function runs in the caller's transaction.
///
///     months(month, made_at)           months whose sums are whole; of others nothing in the next table counts
///     month_sums(…, sum)               what the days of a cell come to, a row a metric
///
/// `stratum` ``anyStratum`` has all strata together. `population` ``shared`` has what is shared with operators; ``everything`` has both together, and is
/// there only where something is not shared.
package enum MonthStore {
    package static let anyStratum: Int64 = 255
    package static let shared: Int64 = 1
    package static let everything: Int64 = 2

    /// A row of sums.
    package struct Row: Sendable {
        package let level: Int
        package let code: UInt64
        package let scope, stratum, population: Int64
        /// Number of the metric.
        package let metric: UInt8
        package let sum: [UInt8]

        package init(
            level: Int, code: UInt64, scope: Int64, stratum: Int64, population: Int64, metric: UInt8, sum: [UInt8]
        ) {
            (self.level, self.code, self.scope, self.stratum) = (level, code, scope, stratum)
            (self.population, self.metric, self.sum) = (population, metric, sum)
        }
    }

    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE months (month INTEGER PRIMARY KEY, made_at INTEGER NOT NULL) STRICT;
                CREATE TABLE month_sums (
                    programme INTEGER NOT NULL, metric INTEGER NOT NULL, month INTEGER NOT NULL,
                    stratum INTEGER NOT NULL, level INTEGER NOT NULL, quadkey INTEGER NOT NULL, scope INTEGER NOT NULL,
                    population INTEGER NOT NULL, sum BLOB NOT NULL,
                    PRIMARY KEY (programme, metric, month, stratum, level, quadkey, scope, population)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Months whose sums are whole.
    package static func whole(_ db: Database) throws -> Set<CivilMonth> {
        Set(try Int64.fetchAll(db.cachedStatement(sql: "SELECT month FROM months")).map(CivilMonth.init(number:)))
    }

    /// The first day that has cells, in Unix seconds of its begin; nil if there are none.
    package static func firstDay(_ programmes: [UInt8], _ db: Database) throws -> Int64? {
        try programmes.compactMap { programme in
            try Int64.fetchOne(
                db, sql: "SELECT min(bucket_start) FROM cells WHERE programme = ? AND bucket = ?",
                arguments: [programme, CellKey.Bucket.day.rawValue])
        }.min()
    }

    /// Codes of the cells of a level that have cells of some days, ascending.
    package static func codes(
        _ programme: UInt8, level: Int, days: [Int64], _ db: Database
    ) throws -> [UInt64] {
        var codes: Set<Int64> = []
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT quadkey FROM cells
                WHERE programme = ? AND bucket = ? AND bucket_start = ? AND level = ?
                """)
        for day in days {
            codes.formUnion(
                try Int64.fetchAll(statement, arguments: [programme, CellKey.Bucket.day.rawValue, day, level]))
        }
        return codes.sorted().map { UInt64(bitPattern: $0) }
    }

    /// Takes rows of a month that is being made.
    package static func put(_ rows: [Row], of month: CivilMonth, programme: UInt8, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO month_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for row in rows {
            try statement.execute(arguments: [
                programme, row.metric, month.number, row.stratum, row.level, Int64(bitPattern: row.code), row.scope,
                row.population, Blob.value(row.sum),
            ])
        }
    }

    /// The sums of a month are whole.
    package static func finish(_ month: CivilMonth, now: UnixMilliseconds, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO months (month, made_at) VALUES (?, ?)", arguments: [month.number, now])
    }

    /// The sums of a month do not count any more: its days have changed.
    static func withdraw(_ month: CivilMonth, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM months WHERE month = ?", arguments: [month.number])
    }

    /// Deletes some rows of a month that is not whole; false if there were none.
    package static func clear(
        _ month: CivilMonth, programme: UInt8, metric: UInt8, limit: Int, _ db: Database
    ) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM month_sums WHERE (programme, metric, month, stratum, level, quadkey, scope, population) IN (
                    SELECT programme, metric, month, stratum, level, quadkey, scope, population FROM month_sums
                    WHERE programme = ?1 AND metric = ?2 AND month = ?3 LIMIT ?4)
                """, arguments: [programme, metric, month.number, limit])
        return db.changesCount > 0
    }
}
