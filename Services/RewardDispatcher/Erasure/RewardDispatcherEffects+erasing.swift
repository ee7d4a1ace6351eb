public import GRDB
public import Lanes
public import Models
public import Storage
public import SubjectRights

/// Erasure in the dispatcher. A part of a subject's records touches no reward: what was granted was granted.
extension RewardDispatcherEffects: SubjectRecords {
    /// The dispatcher's effects with access and erasure around them: what an engine is given.
    ///
    /// - Parameters:
    ///   - database: that of the effects and of the journal.
    ///   - journal: of the `rewards` lane, on which receipts travel.
    ///   - reads: the lanes of the engine's subscriptions.
    public func erasing(
        in database: ServiceDatabase, journal: Journal, key: ReceiptKey,
        reads: [LaneName] = RewardDispatcherEffects.subscriptions.map(\.lane)
    ) throws -> ErasingEffects {
        erasure.journal = journal
        let plan = ErasurePlan(receiptsOn: .rewards, reads: reads)
        return try ErasingEffects(
            self, plan, copy: RewardCopy(payouts), records: self, database: database, journals: [journal], key: key)
    }

    public func erase(
        _ subjects: [ErasureSubject], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws -> ErasureSlice {
        var round = round(now, db)
        let slice = try erasure.next(subjects, busy: Set(underWay.calls.map(\.grant)), &round)
        try finish(&round, &emit)
        return slice
    }

    public func truncateLogs() throws -> Bool { try erasure.cleanAfterPass() }
}
