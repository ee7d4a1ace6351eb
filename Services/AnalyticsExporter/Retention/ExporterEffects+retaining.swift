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
            RawRowRetention(files, database) { [unowned self] in try retire($0, of: $1, $2) },
            RetainedRows(.failedAuthentications, table: "failed_authentications", time: "minute", unit: 60_000),
            NoticeRetention(),
        ]
        return RetainingEffects(
            around,
            try RetentionRounds(
                service: ServiceName.analyticsExporter.rawValue, reportsOn: .operations, database: database,
                journals: [], kinds: kinds))
    }

    /// A day goes, and with it what was exported of it.
    private func retire(_ rows: Int64, of day: String, _ db: Database) throws {
        if let exports, let number = ReceivedDay.number(named: day) {
            try ExportStore.remove(day: number, db)
            exports.noteWaste()
            exports.rowsWent([ClosedRange(ReceivedHour.hours(ofDay: number))])
        }
        pending.rawRows -= rows
        pending.retiredRows += rows
        try ExporterStore.add(-rows, to: .rawRows, in: db)
        try ExporterStore.add(rows, to: .retiredRows, in: db)
    }
}
