internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// The oldest rewards go with their entries: those of a grant balance among themselves, so the books still do. They are
/// nobody's by then; what is not loses its subject first.
final class LedgerRetention: RetainedKind {
    let kind = RetentionKind.ledger
    let itemsAtOnce = RewardErasure.grantsAtOnce
    private let grants = SettledGrants(ofSomebody: false)
    private let ledger = Ledger()
    private let store = RewardDispatcherStore()
    private let links: RewardLinkRetention

    init(_ links: RewardLinkRetention) { self.links = links }

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        try grants.look(before: before, after: mark, limit: limit, db)
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        let found = try items.compactMap { try store.grant(GrantID(stored: $0.mark.name), transaction.db) }
        let somebodys = found.filter { $0.erased == nil }
        try links.forget(somebodys, in: &transaction)
        for grant in found where grant.erased != nil { try retire(grant, transaction.db) }
        for grant in somebodys {
            guard let id = try ErasureTables().replacement(of: grant.id, transaction.db),
                let nameless = try store.grant(id, transaction.db)
            else { continue }
            try retire(nameless, transaction.db)
        }
    }

    func oldest(_ db: Database) throws -> UnixMilliseconds? { try grants.oldest(db) }

    private func retire(_ grant: Grant, _ db: Database) throws {
        try ledger.retire(grant, before: grant.changedAt + 1, db)
        try db.execute(sql: "DELETE FROM grants WHERE id = ?", arguments: [grant.id.text])
    }
}

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
