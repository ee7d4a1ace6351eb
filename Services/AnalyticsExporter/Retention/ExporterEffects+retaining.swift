public import Lanes
internal import GRDB
internal import Models
public import Retention
internal import ServiceKit
public import Storage

extension ExporterEffects {
    /// The effects, with erasure and whatever else is around them, with retention around all of it: as the engine gets them.
    ///
    /// - Parameter database: the one that the engine commits to.
    public func retaining(_ around: any BlockEffects, in database: ServiceDatabase) throws -> RetainingEffects {
        let kinds: [any RetainedKind] = [
            RawRowRetention(files, database) { [unowned self] rows, db in try retire(rows, db) },
            RetainedRows(.failedAuthentications, table: "failed_authentications", time: "minute", unit: 60_000),
            NoticeRetention(),
        ]
        return RetainingEffects(
            around,
            try RetentionRounds(
                service: ServiceName.analyticsExporter.rawValue, reportsOn: .operations, database: database,
                journals: [], kinds: kinds))
    }

    private func retire(_ rows: Int64, _ db: Database) throws {
        pending.rawRows -= rows
        pending.retiredRows += rows
        try ExporterStore.add(-rows, to: .rawRows, in: db)
        try ExporterStore.add(rows, to: .retiredRows, in: db)
    }
}
