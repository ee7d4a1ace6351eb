internal import GRDB
public import Lanes
public import Models
internal import ServiceKit
public import SubjectRights

/// What the dispatcher declares of the rights of subjects. A part of a subject's records touches no reward: what was granted was
/// granted.
extension RewardDispatcherEffects: SubjectRecords {
    /// - Parameters:
    ///   - journal: of the `rewards` lane.
    ///   - reads: the lanes of the engine's subscriptions.
    public func subjects(
        journal: Journal, reads: [LaneName] = RewardDispatcherEffects.subscriptions.map(\.lane)
    ) -> SubjectDeclaration {
        erasure.journal = journal
        let links = RewardLinkRetention(erasure)
        return SubjectDeclaration(
            service: ServiceName.rewardDispatcher.rawValue, on: .rewards, reads: reads, records: self,
            copy: RewardCopy(payouts), retained: [links, LedgerRetention(links)], retiresKeys: true)
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        var round = round(transaction.now, transaction.db)
        let slice = try erasure.next(subjects, busy: Set(underWay.calls.map(\.grant)), &round)
        try finish(&round, &transaction.emit)
        return slice
    }

    public func truncateLogs() throws -> Bool { try erasure.cleanAfterPass() }
}
