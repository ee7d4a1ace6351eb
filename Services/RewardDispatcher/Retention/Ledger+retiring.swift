internal import GRDB
internal import Models

/// Entries whose time is over are the only ones that ever go.
extension Ledger {
    /// The trigger lets an entry go while `ledger_retiring` has its row, which is there only inside the transaction of
    /// ``retire(_:before:_:)``, and then only one that is older than it says.
    static let retiring = """
        CREATE TABLE ledger_retiring (id INTEGER PRIMARY KEY CHECK (id = 1), before INTEGER NOT NULL) STRICT;
        DROP TRIGGER ledger_entries_are_kept;
        CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON ledger_entries
            WHEN NOT EXISTS (SELECT 1 FROM ledger_retiring WHERE old.at < before)
            BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never deleted'); END;
        """

    /// Takes every entry of a settled grant out, which balance among themselves.
    ///
    /// - Throws: `StorageError` if one of them is not older than `before`.
    func retire(_ grant: Grant, before: UnixMilliseconds, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO ledger_retiring (id, before) VALUES (1, ?)", arguments: [before])
        let delete = try db.cachedStatement(sql: "DELETE FROM ledger_entries WHERE transaction_id = ?")
        for move in stride(from: 1, through: grant.moves, by: 1) {
            let name = LedgerTransaction.name(of: move, of: grant.erased?.id ?? grant.id)
            try requireBalance(of: name, db)
            try delete.execute(arguments: [name])
        }
        try db.execute(sql: "DELETE FROM ledger_retiring")
    }
}
