internal import GRDB
internal import Models
internal import Storage

/// What devices were paid by grants that are nobody's any more: one sum a device, so that what a subscriber is shown as paid
/// does not fall when the single rewards are forgotten. Every function runs in the caller's transaction.
///
///     carried_balances(device, paid)   whole XAF
struct CarriedBalances {
    static let migration = Migration(
        "what was paid by forgotten grants, ledger of settled and forgotten grants",
        sql: """
            CREATE TABLE carried_balances (device INTEGER PRIMARY KEY, paid INTEGER NOT NULL) STRICT;
            CREATE INDEX grants_of_somebody ON grants (changed_at, id) WHERE erased_owner IS NULL;
            CREATE INDEX grants_by_time ON grants (changed_at, id);
            """ + Ledger.retiring)

    func paid(_ device: UInt64, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT paid FROM carried_balances WHERE device = ?"),
            arguments: [Int64(bitPattern: device)]) ?? 0
    }

    func add(_ amount: Int64, to device: UInt64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO carried_balances (device, paid) VALUES (?, ?)
                ON CONFLICT (device) DO UPDATE SET paid = paid + excluded.paid
                """
        ).execute(arguments: [Int64(bitPattern: device), amount])
    }
}
