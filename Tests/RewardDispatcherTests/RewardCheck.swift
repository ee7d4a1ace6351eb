import GRDB
import Models
import Storage

@testable import RewardDispatcher

/// Compares a world with what was promised. Written without the product's own sums.
struct RewardCheck {
    private let world: RewardWorld

    init(_ world: RewardWorld) { self.world = world }

    /// What must hold after every step: nobody paid twice, no reference used twice, debits equal credits, the ledger agrees with
    /// the provider.
    func always() throws -> String? {
        if let reference = world.provider.reused.first { return "\(reference.text) was used twice" }
        for (grant, count) in world.provider.kept where count > 1 { return "\(grant.text) was paid \(count) times" }
        return try world.database.read { db in
            let wrong = try String.fetchOne(
                db,
                sql: """
                    SELECT transaction_id FROM ledger_entries GROUP BY transaction_id
                    HAVING sum(CASE sign WHEN 1 THEN amount ELSE 0 END) <> sum(CASE sign WHEN -1 THEN amount ELSE 0 END)
                    """)
            if let wrong { return "transaction \(wrong) does not balance" }
            let paid = try Int64.fetchOne(
                db, sql: "SELECT coalesce(sum(sign * amount), 0) FROM ledger_entries WHERE account = 'paid'")!
            let confirmed = try String.fetchAll(db, sql: "SELECT id FROM grants WHERE state = 'confirmed'")
            if paid != 50 * Int64(confirmed.count) {
                return "the ledger has paid \(paid) for \(confirmed.count) grants"
            }
            let replaced = try Row.fetchAll(db, sql: "SELECT replacement, reference FROM replaced_references")
                .reduce(into: [String: String]()) { $0[$1[0]] = $1[1] }
            if let lie = confirmed.first(where: {
                world.provider.payouts[world.reference(of: GrantID(stored: replaced[$0] ?? $0)), default: 0] < 1
            }) {
                return "\(lie) is confirmed and was not paid"
            }
            let negative = try String.fetchOne(
                db,
                sql: """
                    SELECT account || ' of ' || owner FROM ledger_entries WHERE account <> 'budget'
                    GROUP BY account, owner HAVING sum(sign * amount) < 0
                    """)
            return negative.map { "account \($0) is below nothing" }
        }
    }

    /// What must hold once the provider has answered: each valid feedback is paid once, unless the provider refused.
    func atTheEnd() throws -> String? {
        let states = try world.database.read { db in
            try Row.fetchAll(db, sql: "SELECT id, state, device FROM grants")
                .map { (id: GrantID(stored: $0[0]), state: $0[1] as String, device: $0[2] as Int64) }
        }
        let valid = world.rows.filter { !$0.isMocked && $0.flags == nil }
        for (device, given) in Dictionary(grouping: valid, by: \.device) where !world.erased.contains(device) {
            let wanted = world.dailyMaximum == 0 ? given.count : min(given.count, Int(world.dailyMaximum))
            let count = states.filter { $0.device == device }.count
            if count != wanted { return "device \(device) has \(count) grants instead of \(wanted)" }
        }
        let allowed = Set(
            valid.map { GrantID(device: UInt64($0.device), campaign: "built-in", record: $0.record) })
        for grant in states {
            let reference = world.reference(of: grant.id), isPaid = world.provider.payouts[reference] != nil
            if !allowed.contains(reference) { return "\(grant.id.text) is for no valid feedback" }
            let word = world.provider.lastWord(on: reference)
            // What was not paid before its subject was erased is not paid any more, and nobody asks a second time.
            if grant.device == 0 {
                if grant.state == "rejected", isPaid, !world.provider.changed.contains(reference) {
                    return "\(grant.id.text) was paid"
                }
                if ["confirmed", "reversed"].contains(grant.state) != isPaid, !isPaid {
                    return "\(grant.id.text) is \(grant.state) and was not paid"
                }
                continue
            }
            let wanted: String? =
                switch word {
                case .paid: "confirmed"
                case .reversed: "reversed"
                case .rejected: "rejected"
                case .failed, nil: nil
                }
            if grant.state == "unknown", world.mayStayUnknown { continue }
            if grant.state != wanted { return "\(grant.id.text) is \(grant.state) instead of \(wanted ?? "paid")" }
        }
        return try erasures()
    }

    /// What must hold of devices that were erased.
    private func erasures() throws -> String? {
        try world.database.read { db in
            for device in world.erased {
                let owned = try Int.fetchOne(
                    db,
                    sql:
                        "SELECT (SELECT count(*) FROM grants WHERE device = ?1) + (SELECT count(*) FROM ledger_entries WHERE owner = ?2)",
                    arguments: [device, String(device)])!
                if owned > 0 { return "device \(device) still owns \(owned) rows" }
            }
            for (what, sql) in [
                ("signed requests", "SELECT count(*) FROM erasures WHERE state = 2"),
                ("owners", "SELECT count(DISTINCT owner) FROM ledger_entries WHERE owner GLOB 'erased-*'"),
            ] where try Int.fetchOne(db, sql: sql)! > world.erased.count {
                return "there are more \(what) than erased devices"
            }
            if try Int.fetchOne(db, sql: "SELECT count(*) FROM erasures WHERE state = 2")! < world.erased.count {
                return "an erasure was not signed"
            }
            let left = try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM replaced_references) + (SELECT count(*) FROM erasing_subjects)
                        + (SELECT count(*) FROM ledger_erasing)
                        + (SELECT count(*) FROM grants WHERE device = 0 AND (id <> erased_id OR reason <> '')
                            AND NOT (? AND state = 'unknown'))
                    """, arguments: [world.mayStayUnknown])!
            return left > 0 ? "\(left) traces of erased devices are left" : world.toldAfterwards.first
        }
    }

    /// What must hold on the lane if no kill hid a commit from the reader of this test.
    func lane() throws -> String? {
        let stored = try world.database.read { db in
            try Row.fetchAll(db, sql: "SELECT id, state FROM grants")
                .reduce(into: [String: String]()) { $0[$1[0]] = $1[1] }
        }
        if !world.erased.isEmpty { return nil }
        if world.grantsOnLane.mapValues(\.state.rawValue) != stored {
            return "the lane's grants differ from the store's"
        }
        let paid = world.balancesOnLane.values.reduce(0) { $0 + $1.paidXAF }
        if paid != 50 * Int64(stored.values.filter { $0 == "confirmed" }.count) { return "the lane's balances differ" }
        return world.balancesOnLane.values.contains { $0.pendingXAF != 0 } ? "something is pending on the lane" : nil
    }
}
