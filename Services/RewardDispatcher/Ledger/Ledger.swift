internal import GRDB
internal import Models
internal import Storage

/// The entries in the dispatcher's database: added, never changed but for a name that is erased. Every function runs in the caller's transaction.
struct Ledger {
    static let migration = Migration(
        "ledger",
        sql: """
            CREATE TABLE ledger_entries (
                transaction_id TEXT NOT NULL, line INTEGER NOT NULL, account TEXT NOT NULL, owner TEXT NOT NULL,
                amount INTEGER NOT NULL CHECK (amount > 0), sign INTEGER NOT NULL CHECK (sign IN (1, -1)),
                at INTEGER NOT NULL, PRIMARY KEY (transaction_id, line)) WITHOUT ROWID;
            CREATE INDEX ledger_accounts ON ledger_entries (account, owner, sign, amount);
            CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries
                BEGIN SELECT RAISE(ABORT, 'entries of the ledger never change'); END;
            CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON ledger_entries
                BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never deleted'); END;
            """)

    /// Books a transaction and looks at it as it was stored.
    ///
    /// - Throws: ``LedgerError`` if it does not balance on disk; `StorageError` if it was booked before.
    func book(_ transaction: LedgerTransaction, _ db: Database) throws {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO ledger_entries (transaction_id, line, account, owner, amount, sign, at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        for (line, entry) in transaction.entries.enumerated() {
            try insert.execute(arguments: [
                transaction.id, line, entry.account.kind.rawValue, entry.account.owner, entry.amount,
                entry.side.rawValue, transaction.at,
            ])
        }
        try requireBalance(of: transaction.id, db)
    }

    /// - Throws: ``LedgerError`` if a transaction is not there, or does not balance on disk.
    func requireBalance(of transaction: String, _ db: Database) throws {
        let sum = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT sum(sign * amount) FROM ledger_entries WHERE transaction_id = ?"),
            arguments: [transaction])
        guard sum == 0 else { throw LedgerError.unbalanced(transaction: transaction, by: sum ?? 0) }
    }

    /// What is in an account, XAF.
    func balance(_ account: LedgerAccount, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT sum(sign * amount) FROM ledger_entries WHERE account = ? AND owner = ?"),
            arguments: [account.kind.rawValue, account.owner]) ?? 0
    }

    /// What is in all accounts of a kind, XAF.
    func total(_ kind: LedgerAccount.Kind, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT sum(sign * amount) FROM ledger_entries WHERE account = ?"),
            arguments: [kind.rawValue]) ?? 0
    }

    /// Looks at every entry; done at each start.
    ///
    /// - Throws: ``LedgerError``.
    func check(_ db: Database) throws {
        let wrong = try Row.fetchOne(
            db,
            sql: """
                SELECT transaction_id, sum(sign * amount) AS difference FROM ledger_entries
                GROUP BY transaction_id HAVING difference <> 0 LIMIT 1
                """)
        if let wrong { throw LedgerError.unbalanced(transaction: wrong[0], by: wrong[1]) }
        let sum = try Int64.fetchOne(db, sql: "SELECT sum(sign * amount) FROM ledger_entries") ?? 0
        guard sum == 0 else { throw LedgerError.doesNotAddUp(sum) }
    }
}

/// The one thing that may happen to entries: a subject that is erased is taken out of their names.
extension Ledger {
    /// What owners that stand for erased subjects begin with.
    static let erasedOwner = "erased-"

    /// The trigger lets an entry change while `ledger_erasing` has its row, which is there only inside the transaction of
    /// ``erase(_:as:_:)``; and then only its transaction's id, and an owner that becomes one of an erased subject. Never an
    /// amount, a side, an account, a time, or whose budget it was. Entries are never deleted, as before.
    static let erasureMigration = Migration(
        "names in the ledger can be erased",
        sql: """
            CREATE TABLE ledger_erasing (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;
            DROP TRIGGER ledger_entries_stay;
            CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries
                WHEN NOT EXISTS (SELECT 1 FROM ledger_erasing)
                    OR (new.line, new.account, new.amount, new.sign, new.at)
                        IS NOT (old.line, old.account, old.amount, old.sign, old.at)
                    OR new.owner <> old.owner AND (old.account = 'budget' OR new.owner NOT GLOB '\(erasedOwner)*')
                BEGIN SELECT RAISE(ABORT, 'entries of the ledger never change'); END;
            """)

    /// Puts random names in the place of a grant's in all its entries, and looks at them as they were stored.
    ///
    /// - Throws: ``LedgerError`` if a transaction does not balance on disk afterwards; `StorageError`.
    func erase(_ grant: Grant, as erased: ErasedGrant, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO ledger_erasing (id) VALUES (1)")
        let rename = try db.cachedStatement(
            sql: """
                UPDATE ledger_entries
                SET transaction_id = ?1, owner = CASE account WHEN 'budget' THEN owner ELSE ?2 END
                WHERE transaction_id = ?3
                """)
        for move in stride(from: 1, through: grant.moves, by: 1) {
            let name = LedgerTransaction.name(of: move, of: erased.id)
            try rename.execute(arguments: [name, erased.owner, LedgerTransaction.name(of: move, of: grant.id)])
            try requireBalance(of: name, db)
        }
        try db.execute(sql: "DELETE FROM ledger_erasing")
    }
}
