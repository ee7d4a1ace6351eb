public import GRDB
public import Lanes
public import Models
internal import ServiceKit
public import Storage
public import SubjectRights

extension ExporterEffects: SubjectRecords {
    /// The effects with access and erasure around them, as the engine gets them.
    ///
    /// - Parameters:
    ///   - database: the one that the engine commits to.
    ///   - journals: of the lane `operations`.
    ///   - key: by which receipts are signed.
    public func erasing(in database: ServiceDatabase, journals: [Journal], key: ReceiptKey) throws -> ErasingEffects {
        // Alarms and cells come from lanes of others, which are cleaned first.
        let plan = ErasurePlan(
            receiptsOn: .operations, reads: AnalyticsExporterConfiguration.subscriptions.map(\.lane),
            waitsFor: [ServiceName.alertRouter.rawValue, ServiceName.batchAggregator.rawValue])
        return try ErasingEffects(
            self, plan, copy: RawRowCopy(files), records: self, database: database, journals: journals, key: key)
    }

    public func erase(
        _ subjects: [ErasureSubject], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws -> ErasureSlice {
        let tenants = [Tenant.builtIn] + (try TenantStore.living(db).map(\.asTenant))
        var notices = NoticeDrafts(tenants: tenants, key: pseudonymKey)
        let slice = try erasure.slice(subjects, &notices, db)
        try exports?.rowsGo(notices.hours, now: now, db)
        exports?.rowsWent(slice.rewrittenHours)
        try NoticeStore.add(notices, newID: { String(Secret.text().prefix(32)) }, db)
        if slice.isDone { try NoticeStore.publish(now: now, db) }
        let rows = Int64(slice.rawRows)
        pending.rawRows -= rows
        pending.erasedRows += rows
        try ExporterStore.add(-rows, to: .rawRows, in: db)
        try ExporterStore.add(rows, to: .erasedRows, in: db)
        return ErasureSlice(isDone: slice.isDone, removed: slice.removed)
    }

    public func truncateLogs() throws -> Bool {
        // An export that is being made has begun before the rows went: it is given up in a moment.
        guard exports?.isClean ?? true else { return false }
        return try files.truncateLogs()
    }
}
