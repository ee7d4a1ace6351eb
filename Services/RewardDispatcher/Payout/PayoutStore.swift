internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Payout numbers in the dispatcher's database, encrypted. Every function runs in the caller's transaction.
struct PayoutStore {
    /// - `payouts`: of each device its number, sealed, and the mark by which numbers are compared.
    /// - `payout_keys`: the key that was published last.
    static let migration = Migration(
        "payout numbers",
        sql: """
            CREATE TABLE payouts (
                device INTEGER PRIMARY KEY, sealed BLOB NOT NULL, mark BLOB NOT NULL, since INTEGER NOT NULL) STRICT;
            CREATE INDEX payouts_of_number ON payouts (mark, since, device);
            CREATE TABLE payout_keys (id TEXT NOT NULL) STRICT;
            """)

    /// When a number was last paid to; beside each device that has it.
    static let paceMigration = Migration(
        "pace of payments to a number", sql: "ALTER TABLE payouts ADD COLUMN paid_at INTEGER NOT NULL DEFAULT 0")

    /// Keeps a device's number in place of the one before. The same number again keeps its place among the devices that share it.
    func put(_ sealed: [UInt8], mark: [UInt8], of device: UInt64, at time: UnixMilliseconds, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO payouts (device, sealed, mark, since, paid_at)
                VALUES (?1, ?2, ?3, ?4, coalesce((SELECT max(paid_at) FROM payouts WHERE mark = ?3), 0))
                ON CONFLICT (device) DO UPDATE SET sealed = excluded.sealed, mark = excluded.mark,
                    since = CASE WHEN mark = excluded.mark THEN since ELSE excluded.since END,
                    paid_at = excluded.paid_at
                """
        ).execute(arguments: [Int64(bitPattern: device), Data(sealed), Data(mark), time])
    }

    func remove(of device: UInt64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM payouts WHERE device = ?", arguments: [Int64(bitPattern: device)])
    }

    /// The sealed number of a device, nil if it has none.
    func sealed(of device: UInt64, _ db: Database) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT sealed FROM payouts WHERE device = ?")
        return try Data.fetchOne(statement, arguments: [Int64(bitPattern: device)]).map { [UInt8]($0) }
    }

    /// When an order to pay to a device's number was last given, for whichever device; nil if none is known.
    func paidAt(numberOf device: UInt64, _ db: Database) throws -> UnixMilliseconds? {
        let statement = try db.cachedStatement(sql: "SELECT nullif(paid_at, 0) FROM payouts WHERE device = ?")
        return try Int64.fetchOne(statement, arguments: [Int64(bitPattern: device)])
    }

    /// An order to pay to a device's number is given.
    func notePayment(toNumberOf device: UInt64, at time: UnixMilliseconds, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE payouts SET paid_at = ?1 WHERE mark = (SELECT mark FROM payouts WHERE device = ?2)"
        ).execute(arguments: [time, Int64(bitPattern: device)])
    }

    /// What the number of a device is compared by; nil if it has none.
    func mark(of device: UInt64, _ db: Database) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT mark FROM payouts WHERE device = ?")
        return try Data.fetchOne(statement, arguments: [Int64(bitPattern: device)]).map { [UInt8]($0) }
    }

    /// How many devices gave this device's number before it did; 0 for a device without one.
    func predecessors(of device: UInt64, _ db: Database) throws -> Int {
        let statement = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM payouts AS other JOIN payouts AS own ON own.device = ?
                WHERE other.mark = own.mark AND (other.since, other.device) < (own.since, own.device)
                """)
        return try Int.fetchOne(statement, arguments: [Int64(bitPattern: device)]) ?? 0
    }

    /// The id of the key that was published last.
    func publishedKey(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT id FROM payout_keys")
    }

    func published(_ id: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM payout_keys")
        try db.execute(sql: "INSERT INTO payout_keys (id) VALUES (?)", arguments: [id])
    }
}
