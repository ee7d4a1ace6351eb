internal import GRDB
internal import Storage

/// Where the numbers of a tenant's messages leap: after a restore they go on far ahead, because those after the backup were
/// given out already. Every function runs in the caller's transaction.
///
///     alert_leaps(tenant, before, after)   the last number before the leap, and the one that stands for it after it;
///                                          tenant -1: where those begin who were sent nothing yet
enum AlertLeaps {
    static let migration = Migration(
        "leaps of numbers",
        sql: """
            CREATE TABLE alert_leaps (
                tenant INTEGER NOT NULL, before INTEGER NOT NULL, after INTEGER NOT NULL, PRIMARY KEY (tenant, before))
                WITHOUT ROWID
            """)

    /// More messages than any tenant is sent between two backups.
    static let width: Int64 = 1_000_000

    /// Stands for tenants that were sent nothing at the backup: in the life that was lost they may have been.
    private static let beginners: Int64 = -1

    /// Lets the numbers of all tenants leap.
    static func leap(_ db: Database, by width: Int64 = Self.width) throws {
        let start = try start(db)
        try db.execute(
            sql: """
                INSERT INTO alert_leaps (tenant, before, after)
                    SELECT tenant, last_seq, last_seq + \(width) FROM alert_endpoints;
                INSERT INTO alert_leaps (tenant, before, after) VALUES (\(beginners), \(start), \(start + width));
                UPDATE alert_endpoints SET last_seq = last_seq + \(width)
                """)
    }

    /// The number after which tenants begin.
    static func start(_ db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT max(after) FROM alert_leaps WHERE tenant = ?")
        return try Int64.fetchOne(statement, arguments: [beginners]) ?? 0
    }

    /// The number that is so many numbers that were given out before another one.
    static func number(_ count: Int64, before last: Int64, ofTenant tenant: Int64, _ db: Database) throws -> Int64 {
        var number = last - count
        let statement = try db.cachedStatement(
            sql: "SELECT before, after FROM alert_leaps WHERE tenant = ? ORDER BY after DESC")
        for leap in try Row.fetchAll(statement, arguments: [tenant]) where number < (leap[1] as Int64) {
            number -= leap[1] as Int64 - leap[0]
        }
        return number
    }
}
