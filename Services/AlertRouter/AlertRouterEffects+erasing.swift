public import GRDB
public import Lanes
public import Models
public import Storage
public import SubjectRights

/// Erasure in the router: which devices counted in which alarms is forgotten, how many stays.
extension AlertRouterEffects: SubjectRecords {
    /// The router's effects with access and erasure around them: what an engine is given.
    ///
    /// - Parameters:
    ///   - database: that of the effects and of the journal.
    ///   - journal: of the `alerts` lane, on which receipts travel.
    public func erasing(
        in database: ServiceDatabase, journal: Journal, key: ReceiptKey
    ) throws -> ErasingEffects {
        let plan = ErasurePlan(receiptsOn: .alerts, reads: Self.subscriptions.map(\.lane))
        return try ErasingEffects(
            self, plan, copy: ContributionCopy(), records: self, database: database, journals: [journal], key: key)
    }

    public func erase(
        _ subjects: [ErasureSubject], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws -> ErasureSlice {
        try erasure.next(subjects, db)
    }
}
