internal import GRDB
internal import Storage

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
