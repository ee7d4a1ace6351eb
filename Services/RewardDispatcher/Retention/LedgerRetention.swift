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
