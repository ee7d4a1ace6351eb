public import Erasure
public import GRDB
public import Lanes
public import Models
public import Storage

/// Erasure in the router: which devices counted in which alarms is forgotten, how many stays.
extension AlertRouterEffects: SubjectRecords {
    /// The router's effects with erasure around them: what an engine is given.
    ///
    /// - Parameters:
    ///   - database: that of the effects and of the journal.
    ///   - journal: of the `alerts` lane, on which receipts travel.
    public func erasing(
        in database: ServiceDatabase, journal: Journal, key: ReceiptKey
    ) throws -> ErasingEffects {
        let plan = ErasurePlan(receiptsOn: .alerts, reads: Self.subscriptions.map(\.lane))
        return ErasingEffects(
            self, try ErasureRounds(plan, database: database, journals: [journal], records: self, key: key))
    }

    public func erase(
        _ subjects: [ErasureSubject], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws -> ErasureSlice {
        try erasure.next(subjects, db)
    }
}
