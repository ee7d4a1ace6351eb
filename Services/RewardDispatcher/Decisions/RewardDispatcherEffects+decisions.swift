internal import GRDB
internal import Lanes
internal import Models
internal import ServiceKit
internal import SubjectRights

/// Decisions of persons about grants.
extension RewardDispatcherEffects {
    /// Takes a decision, to be booked in the next step; between two steps.
    ///
    /// - Throws: `ControlError` if there is nothing to decide.
    func take(_ decision: GrantDecision, _ db: Database) throws {
        guard let grant = try store.grant(decision.grant, db) else {
            throw ControlError.notFound("there is no grant \(decision.grant.text)")
        }
        if grant.state == .pending, !grant.suspected.isEmpty {
            guard [.released, .rejected].contains(decision.result) else {
                throw ControlError.refused("the grant is suspected and was not ordered; it is released or rejected")
            }
            return try keep(decision, db)
        }
        guard grant.state == .unknown, decision.result != .released else {
            throw ControlError.refused(
                "the grant is \(grant.state.rawValue); only those of unknown outcome are settled, and only suspected ones released"
            )
        }
        guard !underWay.calls.contains(where: { $0.grant == grant.id }),
            settings.schedule.asking.question(about: grant, givenAgo: nil) == nil
        else {
            throw ControlError.refused("the provider can be asked about this grant, and is")
        }
        try keep(decision, db)
    }

    private func keep(_ decision: GrantDecision, _ db: Database) throws {
        try GrantDecisionStore().add(decision, db)
        hasDecisions = true
    }

    /// Books what was decided, and tells the audit log. A grant that has been settled since stays as it is.
    func bookDecisions(_ changes: inout GrantChanges, _ emit: inout Emission) throws {
        guard hasDecisions else { return }
        let decisions = GrantDecisionStore(), waiting = try decisions.all(changes.db)
        var told: [(key: String, document: RewardDecisionDocument)] = []
        for (number, decision) in waiting.enumerated() {
            let grant = try store.grant(decision.grant, changes.db)
            guard let grant, grant.state == .unknown || grant.state == .pending && !grant.suspected.isEmpty else {
                done.decisions.append((decision.result.rawValue, false))
                continue
            }
            try changes.decide(.decided(decision.result, why: decision.why, now: changes.now), grant)
            done.decisions.append((decision.result.rawValue, true))
            let document = RewardDecisionDocument(
                decision: decision.result.rawValue, campaign: grant.campaign, amountXAF: grant.amount,
                by: decision.by, why: decision.why)
            told.append(("\(changes.now)-\(number)", document))
        }
        if !told.isEmpty { try emit.append(to: .rewards, kind: .rewardDecision, columns: .documents(told)) }
        if !waiting.isEmpty { try decisions.clear(changes.db) }
        hasDecisions = false
    }
}
