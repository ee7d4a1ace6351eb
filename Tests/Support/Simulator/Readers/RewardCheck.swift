import GRDB
import Models

/// Compares the dispatcher's database with the provider's books and the model. Written without the product's own sums.
struct RewardCheck {
    private struct Stored {
        let id: String
        let state: String
        let grant: ReferenceRewards.Grant
    }

    let provider: SimulatedProvider
    let db: Database

    /// What must hold after every step: nobody is paid twice, debits equal credits, the ledger agrees with the provider.
    func always() throws {
        if let (grant, count) = provider.payouts.first(where: { $0.value > 1 }) {
            throw SimulationFailure("grant \(grant) was paid \(count) times")
        }
        if let fault = provider.fault { throw SimulationFailure("the provider says: \(fault)") }
        let unbalanced = try String.fetchOne(
            db,
            sql: """
                SELECT transaction_id FROM ledger_entries GROUP BY transaction_id
                HAVING sum(CASE sign WHEN 1 THEN amount ELSE 0 END) <> sum(CASE sign WHEN -1 THEN amount ELSE 0 END)
                """)
        if let unbalanced { throw SimulationFailure("transaction \(unbalanced): debits and credits differ") }
        // Erased grants have another identifier a while before the provider's books have it.
        let confirmed = try Row.fetchAll(
            db,
            sql: """
                SELECT coalesce(replaced_references.reference, id), amount FROM grants LEFT JOIN replaced_references ON replacement = id
                WHERE state = 'confirmed'
                """)
        if let lie = confirmed.first(where: { provider.payouts[$0[0]] != 1 }) {
            throw SimulationFailure("grant \(lie[0] as String) is confirmed and was not paid")
        }
        let paid = try Int.fetchOne(
            db, sql: "SELECT coalesce(sum(sign * amount), 0) FROM ledger_entries WHERE account = 'paid'")
        guard paid == confirmed.reduce(0, { $0 + $1[1] }) else {
            throw SimulationFailure("the ledger has paid \(paid ?? 0) XAF for \(confirmed.count) grants")
        }
    }

    /// Grants that are not settled, or about which the provider is to be asked once more.
    func open() throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM grants
                WHERE state NOT IN ('confirmed', 'rejected', 'reversed') OR due_at IS NOT NULL
                """) ?? 0
    }

    /// What must hold at the end: the grants are the model's, each is paid once, unless the provider refused.
    func atTheEnd(_ expected: [ReferenceRewards.Grant], _ simulation: Simulation) throws {
        // What a device whose rows were erased has earned depends on what was read before.
        let doubtful = Set(simulation.model.erasedRows.map(\.device)).union([0])
        var stored = Dictionary(
            uniqueKeysWithValues: try stored().filter { !doubtful.contains($0.grant.device) }
                .map { (Self.key($0.grant), $0) })
        for grant in expected where !doubtful.contains(grant.device) {
            guard let one = stored.removeValue(forKey: Self.key(grant)) else {
                throw SimulationFailure("grant missing: \(grant)")
            }
            guard one.grant == grant else { throw SimulationFailure("grant differs: \(one.grant), not \(grant)") }
            let isPaid = provider.payouts[one.id] == 1, isReversed = provider.reversed.contains(one.id)
            let wanted = isReversed ? "reversed" : isPaid ? "confirmed" : "rejected"
            guard one.state == wanted, isPaid != provider.rejected.contains(one.id) else {
                throw SimulationFailure("grant \(one.id) is \(one.state), the provider says \(wanted)")
            }
            simulation.note(isReversed ? .grantReversed : isPaid ? .grantConfirmed : .grantRejected)
        }
        if let extra = stored.values.first { throw SimulationFailure("grant for nothing: \(extra.grant)") }
        try compareAmounts()
    }

    /// Each device was paid what its confirmed grants say, each campaign has spent that.
    private func compareAmounts() throws {
        for (account, column) in [("paid", "coalesce(erased_owner, device)"), ("budget", "campaign")] {
            let sign = account == "paid" ? 1 : -1
            let differing = try String.fetchOne(
                db,
                sql: """
                    SELECT owner FROM (
                        SELECT owner, sum(sign * amount) AS held FROM ledger_entries WHERE account = ? GROUP BY owner)
                    WHERE held <> ? * (SELECT coalesce(sum(amount), 0) FROM grants
                        WHERE CAST(\(column) AS TEXT) = owner AND state = 'confirmed')
                    """, arguments: [account, sign])
            if let differing { throw SimulationFailure("account \(account) of \(differing) is wrong") }
        }
    }

    private func stored() throws -> [Stored] {
        try Row.fetchAll(db, sql: "SELECT id, state, device, lower(hex(record)), campaign, amount, day FROM grants").map
        {
            Stored(
                id: $0[0], state: $0[1],
                grant: .init(
                    device: $0[2], record: StoredRawRow.hyphenated($0[3]), campaign: $0[4], amount: $0[5], day: $0[6]))
        }
    }

    private static func key(_ grant: ReferenceRewards.Grant) -> String { "\(grant.device) \(grant.record)" }
}
