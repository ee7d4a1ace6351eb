internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// Whose a settled reward was, and for which feedback, is forgotten: the grant and its entries are nobody's from then on, as
/// an erasure leaves them, each under a random name of its own. What the device was paid stays in one sum.
final class RewardLinkRetention: RetainedKind {
    let kind = RetentionKind.rewardLinks
    let itemsAtOnce = RewardErasure.grantsAtOnce
    private let grants = SettledGrants(ofSomebody: true)
    private let carried = CarriedBalances()
    private let store = RewardDispatcherStore()
    private let erasure: RewardErasure

    /// - Parameter erasure: by which grants lose their names.
    init(_ erasure: RewardErasure) { self.erasure = erasure }

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        try grants.look(before: before, after: mark, limit: limit, db)
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        let found = try items.compactMap { try store.grant(GrantID(stored: $0.mark.name), transaction.db) }
        try forget(found, in: &transaction)
    }

    /// - Parameter found: settled grants of somebody.
    func forget(_ found: [Grant], in transaction: inout EffectTransaction) throws {
        guard !found.isEmpty else { return }
        for grant in found {
            if grant.state == .confirmed { try carried.add(grant.amount, to: grant.device, transaction.db) }
            try erasure.forget(grant, transaction.db)
        }
        erasure.noteReplaced(now: transaction.now)
        try transaction.emit.append(
            to: .rewards, kind: .grant, columns: .tombstones(found.map { ($0.id.text, $0.device) }))
    }

    func oldest(_ db: Database) throws -> UnixMilliseconds? { try grants.oldest(db) }

    /// References that were replaced go from the provider's books and from the corners of the file.
    func truncateLogs() throws -> Bool { try erasure.cleanAfterPass() }
}

/// SQL of settled grants by the time they were settled.
struct SettledGrants {
    /// Of somebody only, or of nobody too.
    let ofSomebody: Bool

    private var condition: String { ofSomebody ? "erased_owner IS NULL" : "TRUE" }

    /// Bytes of a grant and its entries, about: its row, and two entries for each movement.
    private static let bytes = "150 + 2 * 90 * moves"

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT changed_at, id, state, \(Self.bytes) FROM grants
                    WHERE \(condition) AND changed_at < ? AND (changed_at, id) > (?, ?)
                    ORDER BY changed_at, id LIMIT ?
                    """), arguments: [before, mark.time, mark.name, limit])
        let marks = rows.map { RetentionMark(time: $0[0], name: $0[1]) }
        let isOver = rows.map { GrantState(rawValue: $0[2])?.isFinal ?? false }
        return RetentionLook(
            items: zip(rows, zip(marks, isOver)).filter(\.1.1).map { RetainedItem($1.0, bytes: $0[3]) },
            next: rows.count < limit ? nil : marks.last)
    }

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db, sql: "SELECT min(changed_at) FROM grants WHERE \(condition)")
    }
}
