internal import GRDB
internal import Lanes
internal import Models
internal import ServiceKit
internal import Storage

/// What the dispatcher answers on its control socket about grants that wait for a person: `rewards.waiting` and `rewards.settle`.
struct DecisionCalls: Sendable {
    /// Grants that are listed.
    private static let mostListed = 100

    let loop: EffectLoop
    let reader: ReadOnlyDatabase

    var all: [ControlCall] {
        [
            .typed("rewards.waiting", JSONValue.self) { _ in try waiting() },
            .typed("rewards.settle", JSONValue.self) { try await settle(GrantDecision($0)) },
        ]
    }

    /// The first of them, the oldest first, and how many there are.
    private func waiting() throws -> JSONValue {
        try reader.read { db in
            let (grants, count) = try RewardDispatcherStore().waitingForPerson(limit: Self.mostListed, db)
            return [
                "count": .integer(count),
                "grants": .array(
                    grants.map {
                        [
                            "grant": .string($0.id.text), "campaign": .string($0.campaign),
                            "amount_xaf": .integer($0.amount), "reference": .string($0.reference?.text ?? ""),
                            "changed_at_ms": .integer($0.changedAt), "reason": .string($0.reason),
                        ]
                    }),
            ]
        }
    }

    /// Taken once it is on disk; booked in the next step.
    private func settle(_ decision: GrantDecision) async throws -> JSONValue {
        try await loop.perform { engine in
            let effects = engine.rewards
            try engine.database.write { try effects.take(decision, $0) }
        }
        return ["grant": .string(decision.grant.text), "as": .string(decision.result.rawValue)]
    }
}

extension RewardDispatcherStore {
    /// Grants of unknown outcome that nobody can be asked about, and those that are suspected, the oldest first; and how many there are.
    func waitingForPerson(limit: Int, _ db: Database) throws -> (first: [Grant], count: Int64) {
        let condition = """
            state IN ('sent', 'asked', 'unknown', 'pending')
                AND (state = 'unknown' AND reason = ? OR state = 'pending' AND suspected <> '')
            """
        let reason = RewardDispatcherCore.needsDecision
        let count =
            try Int64.fetchOne(
                db, sql: "SELECT count(*) FROM grants WHERE \(condition)", arguments: [reason]) ?? 0
        let ids = try String.fetchAll(
            db, sql: "SELECT id FROM grants WHERE \(condition) ORDER BY changed_at, id LIMIT ?",
            arguments: [reason, limit])
        return (try ids.compactMap { try grant(GrantID(stored: $0), db) }, count)
    }
}
