internal import ExporterRows
internal import ExporterStores
internal import ExporterSupport
internal import GRDB
public import Lanes
internal import Models
internal import ServiceKit
public import Storage
public import SubjectRights

/// What the exporter declares of the rights of subjects.
extension ExporterEffects: SubjectRecords {
    /// Every table of `analytics-exporter/state.sqlite`.
    static let tables: [HeldTable] = [
        .personal(
            "failed_authentications",
            PersonalRows(
                of: nil, erased: .by("nobody: an address prefix is not known to be anybody's"),
                copied: .none("an address prefix is not known to be anybody's"),
                kept: .until(.failedAuthentications, time: "minute", unit: 60_000))),
        .personal(
            "erasure_notices",
            PersonalRows(
                of: nil, erased: .by("NoticeStore: it is what tells operators to delete; pseudonyms of a day, by time"),
                copied: .none("made by an erasure"), kept: .retained(.erasureNotices))),
        .personal(
            "raw_erasures",
            PersonalRows(
                of: nil, erased: .by("RawErasure: which rows go, until they are gone"),
                copied: .none("only while an erasure is at work"), kept: .asLongAs("the erasure is at work"))),
        .free("campaign_days", "figures of campaigns by day"),
        .free("raw_retirements", "days that go"), .free("restored_rows", "lanes"),
        .free("erasure_orders", "how requests stand, by random names"),
        .free("cells", "statistics: counts of devices, no device"),
        .free("months", "times"), .free("month_sums", "statistics: counts of devices, no device"),
        .free("releases", "statistics that protect people"), .free("release_atoms", "statistics that protect people"),
        .free("release_rounds", "times"),
        .free("engagement", "counts of prompts by day and network"),
        .free("alarm_tasks", "people of operators, in their trade"),
        .free("site_tasks", "people of operators, in their trade"), .free("sensor_states", "sensors of operators"),
        .free("tmf_tasks", "people of operators, in their trade"),
        .free("alarm_handlings", "people of operators, in their trade"), .free("alarm_history", "counts, no device"),
        .free("alarm_deliveries", "what channels of operators were told"), .free("alarms", "counts, no device"),
        .free("alarm_changes", "counts, no device"), .free("figures", "totals"),
        .free("tenants", "operators"), .free("contacts", "people of operators, in their trade"),
        .free("sessions", "people of operators, in their trade"), .free("endpoints", "operators"),
        .free("operations", "documents of operators"), .free("notifier_keys", "public keys"),
        .free("exports", "files of operators; rows are in the files"),
        .free("export_readers", "operators"), .free("export_keys", "the key of signatures"),
    ]

    /// Every table of a day file of raw rows, `analytics-exporter/raw/<day>.sqlite`.
    static let dayTables: [HeldTable] = ["blocks", "block_subjects", "gaps", "block_hours"].map { table in
        .personal(
            table,
            PersonalRows(
                of: nil, erased: .by("RawErasure: blocks are rewritten"),
                copied: .lines(["report", "feedback", "prompt"]), kept: .retained(.rawRows)))
    }

    /// - Parameter database: the one that the engine commits to.
    public func subjects(in database: ServiceDatabase) -> SubjectDeclaration {
        let rows = RawRowRetention(files, database) { [unowned self] in
            try retire($0, of: $1, $2)
        } gone: { [exports] days in
            // Whoever began to read a day after it was planned is still at its unlinked file.
            exports?.rowsWent(days.compactMap(Self.hours))
        }
        return SubjectDeclaration(
            service: ServiceName.analyticsExporter.rawValue, on: .operations,
            // Nothing of a subscriber is on the notifier's lane, and a home may have no notifier.
            reads: AnalyticsExporterConfiguration.subscriptions(files.layout.programmes, hasNotifier: false).map(
                \.lane),
            // Alarms and cells come from lanes of others, which are cleaned first.
            waitsFor: [ServiceName.alertRouter.rawValue, ServiceName.batchAggregator.rawValue],
            records: self, copy: RawRowCopy(files),
            retained: [rows] + Self.tables.retained + [NoticeRetention()])
    }

    public func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        let tenants = [Tenant.builtIn] + (try TenantStore.living(transaction.db).map(\.asTenant))
        var notices = NoticeDrafts(files.layout, tenants: tenants, key: pseudonymKey)
        let slice = try erasure.slice(subjects, &notices, transaction.db)
        try exports?.rowsGo(notices.hours, now: transaction.now, transaction.db)
        try exports?.subjectsGo(now: transaction.now, transaction.db)
        exports?.rowsWent(slice.rewrittenHours)
        try NoticeStore.add(notices, newID: { String(Secret.text().prefix(32)) }, transaction.db)
        if slice.isDone { try NoticeStore.publish(now: transaction.now, transaction.db) }
        let rows = Int64(slice.rawRows)
        pending.rawRows -= rows
        pending.erasedRows += rows
        try ExporterStore.add(-rows, to: .rawRows, in: transaction.db)
        try ExporterStore.add(rows, to: .erasedRows, in: transaction.db)
        return ErasureSlice(isDone: slice.isDone, removed: slice.removed)
    }

    public func truncateLogs() throws -> Bool {
        // An export that is being made has begun before the rows went: it is given up in a moment.
        guard exports?.isClean ?? true else { return false }
        return try files.truncateLogs()
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

    private static func hours(of day: String) -> ClosedRange<Int64>? {
        ReceivedDay.number(named: day).map { ClosedRange(ReceivedHour.hours(ofDay: $0)) }
    }
}
