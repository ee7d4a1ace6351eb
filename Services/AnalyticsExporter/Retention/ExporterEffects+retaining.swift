public import Lanes
internal import GRDB
internal import Models
internal import ServiceKit
public import Storage
public import SubjectRights

extension ExporterEffects {
    /// The effects, with erasure and whatever else is around them, with retention around all of it: as the engine gets them.
    ///
    /// - Parameter database: the one that the engine commits to.
    public func retaining(_ around: any BlockEffects, in database: ServiceDatabase) throws -> RetainingEffects {
        let kinds: [any RetainedKind] = [
            RawRowRetention(files, database) { [unowned self] in
                try retire($0, of: $1, $2)
            } gone: { [exports] days in
                // Whoever began to read a day after it was planned is still at its unlinked file.
                exports?.rowsWent(days.compactMap(Self.hours))
            },
            RetainedRows(.failedAuthentications, table: "failed_authentications", time: "minute", unit: 60_000),
            NoticeRetention(),
        ]
        return RetainingEffects(
            around,
            try RetentionRounds(
                service: ServiceName.analyticsExporter.rawValue, reportsOn: .operations, database: database,
                journals: [], kinds: kinds))
    }

    private static func hours(of day: String) -> ClosedRange<Int64>? {
        ReceivedDay.number(named: day).map { ClosedRange(ReceivedHour.hours(ofDay: $0)) }
    }

    /// A day goes, and with it what was exported of it.
    private func retire(_ rows: Int64, of day: String, _ db: Database) throws {
        if let exports, let number = ReceivedDay.number(named: day) {
            try ExportStore.remove(day: number, db)
            exports.noteWaste()
            exports.rowsWent([day].compactMap(Self.hours))
        }
        pending.rawRows -= rows
        pending.retiredRows += rows
        try ExporterStore.add(-rows, to: .rawRows, in: db)
        try ExporterStore.add(rows, to: .retiredRows, in: db)
    }
}
