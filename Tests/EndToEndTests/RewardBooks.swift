import Foundation
import GRDB
import PipelineTesting
import QoE
import RewardDispatcher
import TemporaryFiles

/// The dispatcher's books and the provider's, as they are on disk. Read without the product's own sums.
struct RewardBooks {
    struct Grant {
        let feedback: RewardedFeedback
        let state: String
        let amount: Int
    }

    private let grants: [String: Grant]
    private let ledger: Ledger
    /// What the provider has paid, in payments, by grant; what is no grant's, by its reference.
    private let payouts: [String: Int]

    private struct Ledger {
        let unbalanced: String?
        let sum: Int
        let accounts: [String: Int]
    }

    /// - Throws: `DatabaseError` if the dispatcher has not made its books yet.
    init(_ pack: ServicePack, _ payer: RewardPayer = .sandbox) throws {
        // The dispatcher's first: what it knows to be paid, the provider had paid before.
        let attempts: [String: String]
        (grants, ledger, attempts) = try Self.open(pack.home.path("home/reward-dispatcher/state.sqlite")).read { db in
            (try Self.grants(db), try Self.ledger(db), try Self.attempts(db))
        }
        payouts = try payer.payments(pack).reduce(into: [:]) { $0[attempts[$1.key] ?? $1.key, default: 0] += $1.value }
    }

    /// Payments that the provider has made and the dispatcher, `sent` in hand, has not heard of.
    var unheard: Int { grants.filter { $0.value.state == "sent" && payouts[$0.key, default: 0] > 0 }.count }

    /// True once there are so many grants and nothing more is to be done about any, or can be.
    func isSettled(_ count: Int, knowsOurNames: Bool = true) -> Bool {
        grants.count >= count
            && grants.allSatisfy {
                $0.value.state == "confirmed" || $0.value.state == "rejected" || !knowsOurNames && isUnheard($0.key)
            }
    }

    /// Whether nobody hears any more what became of a payment.
    private func isUnheard(_ grant: String) -> Bool { ["unknown", "asked"].contains(grants[grant]?.state) }

    /// What may never be, whenever one looks; nil if all is well.
    var fault: String? {
        if let twice = payouts.first(where: { $0.value > 1 }) { return "\(twice.key) was paid \(twice.value) times" }
        if let stray = payouts.keys.first(where: { grants[$0] == nil }) { return "\(stray) was paid without a grant" }
        if let id = ledger.unbalanced { return "debits and credits of transaction \(id) differ" }
        if ledger.sum != 0 { return "debits and credits differ by \(ledger.sum) XAF" }
        let confirmed = grants.filter { $0.value.state == "confirmed" }
        if let lie = confirmed.keys.first(where: { payouts[$0] != 1 }) { return "\(lie) is confirmed and was not paid" }
        let paid = confirmed.values.reduce(0) { $0 + $1.amount }
        return ledger.accounts["paid", default: 0] == paid ? nil : "the ledger has paid \(ledger.accounts), not \(paid)"
    }

    /// What is wrong when all is over, if the provider pays in the end whatever it is told to; nil if all is well.
    func fault(paying feedback: Set<RewardedFeedback>, knowsOurNames: Bool = true) -> String? {
        let granted = grants.values.map(\.feedback)
        if granted.count != Set(granted).count { return "a feedback has more than one grant" }
        if let missing = feedback.subtracting(granted).first { return "\(missing) has no grant" }
        if let undeserved = Set(granted).subtracting(feedback).first { return "\(undeserved) has a grant" }
        let unheard = knowsOurNames ? [] : Set(grants.keys.filter(isUnheard))
        if let open = grants.first(where: { $0.value.state != "confirmed" && !unheard.contains($0.key) }) {
            return "\(open) is not confirmed"
        }
        if let unpaid = grants.keys.first(where: { payouts[$0] != 1 && !unheard.contains($0) }) {
            return "\(unpaid) was not paid"
        }
        let open = ledger.accounts.filter { ["owed", "float"].contains($0.key) && $0.value != 0 }
        return open.isEmpty || !unheard.isEmpty ? nil : "the ledger still has \(open)"
    }

    private static func grants(_ db: Database) throws -> [String: Grant] {
        try Row.fetchAll(db, sql: "SELECT id, device, record, state, amount FROM grants").reduce(into: [:]) {
            all, row in
            let feedback = RewardedFeedback(device: row[1], record: uuid(row[2]))
            all[row[0]] = Grant(feedback: feedback, state: row[3], amount: row[4])
        }
    }

    private static func ledger(_ db: Database) throws -> Ledger {
        let unbalanced = try String.fetchOne(
            db,
            sql: """
                SELECT transaction_id FROM ledger_entries GROUP BY transaction_id
                HAVING sum(CASE sign WHEN 1 THEN amount ELSE 0 END) <> sum(CASE sign WHEN -1 THEN amount ELSE 0 END)
                """)
        let sum = try Int.fetchOne(db, sql: "SELECT coalesce(sum(sign * amount), 0) FROM ledger_entries") ?? 0
        let accounts = try Row.fetchAll(
            db, sql: "SELECT account, sum(sign * amount) FROM ledger_entries GROUP BY account")
        return Ledger(
            unbalanced: unbalanced, sum: sum, accounts: accounts.reduce(into: [:]) { $0[$1[0]] = $1[1] as Int })
    }

    /// What is wrong when all is over in a restored home; nil if all is well. Grants of erased subscribers are nobody's, and
    /// the provider knows payments that went with the life that was lost.
    func faultAfterRestore(paying feedback: Set<RewardedFeedback>) -> String? {
        if let twice = payouts.first(where: { $0.value > 1 }) { return "\(twice.key) was paid \(twice.value) times" }
        if let id = ledger.unbalanced { return "debits and credits of transaction \(id) differ" }
        let known = grants.filter { $0.value.feedback.device != 0 }
        let granted = Set(known.values.map(\.feedback))
        if let missing = feedback.subtracting(granted).first { return "\(missing) has no grant" }
        if let undeserved = granted.subtracting(feedback).first { return "\(undeserved) has a grant" }
        if let open = known.first(where: { $0.value.state != "confirmed" }) { return "\(open) is not confirmed" }
        return known.keys.first { payouts[$0] != 1 }.map { "\($0) was not paid" }
    }

    /// Payments that the provider has made, whatever for.
    var payments: Int { payouts.values.reduce(0, +) }

    /// The grant of every reference under which the provider may know an attempt to pay it: also of ones that a restored home
    /// does not know of.
    private static func attempts(_ db: Database) throws -> [String: String] {
        try Row.fetchAll(db, sql: "SELECT id, max(attempts, last_lost_attempt) FROM grants").reduce(into: [:]) {
            all, row in
            for attempt in 1...((row[1] as Int) + 20) {
                all[PaymentReference(GrantID(stored: row[0]), attempt: attempt).text] = row[0]
            }
        }
    }

    /// How often the sandbox has paid under each reference.
    static func sandboxPayments(_ pack: ServicePack) throws -> [String: Int] {
        let books = pack.environment["NKUL_REWARD_DISPATCHER_SANDBOX_BOOKS"]
        return try open(books ?? pack.home.path("home/reward-dispatcher/sandbox.sqlite")).read { db in
            try Row.fetchAll(db, sql: "SELECT reference, payouts FROM payments WHERE payouts > 0")
                .reduce(into: [:]) { $0[$1[0], default: 0] += $1[1] as Int }
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func uuid(_ bytes: Data) -> String {
        let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(Array(digits)[range])
        }
        return parts.joined(separator: "-")
    }
}

/// A feedback that deserves a grant.
struct RewardedFeedback: Hashable, Sendable {
    /// The device's ordinal.
    let device: Int
    /// The record's UUID in lower case.
    let record: String

    /// Every accepted feedback that was not measured at a place the phone made up.
    static func all(in model: ReferenceModel) -> Set<RewardedFeedback> {
        Set(
            model.rows.filter { $0.kind == "feedback" && $0.stored["mock_location"] != 1 }
                .map { RewardedFeedback(device: $0.device, record: $0.id) })
    }
}
