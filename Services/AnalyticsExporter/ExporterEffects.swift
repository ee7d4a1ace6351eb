package import Crypto
package import ExporterOperations
package import ExporterRows
package import ExporterStores
package import ExporterSupport
package import Foundation
internal import GRDB
public import Lanes
public import Models
internal import QoE
internal import SubjectRights
package import Storage
internal import Wire

/// What the exporter does with blocks: raw rows into day files, then cells, alarms, endpoints and figures with the cursor;
/// and with changes that people ask for: their tables and the `operations` lane in one transaction.
///
/// Deterministic, confined to the thread of the engine; the simulator drives it directly.
public final class ExporterEffects: BlockEffects {
    /// Totals after the last commit.
    public private(set) var figures: ExporterFigures
    let files: RawRowFiles
    private let handlers: EffectHandlers<ExporterEffects>
    let erasure: RawErasure
    /// Of the pseudonyms that tenants know devices by.
    let pseudonymKey: SymmetricKey
    /// Which months have sums.
    package let months: MonthLedger
    /// In which days begin.
    var zone: TimeZone { engagement.zone }
    /// Files of exports; nil where none are made.
    let exports: ExportShelf?
    private let alarms: AlarmStore
    private var cells: CellStore?
    private let engagement: EngagementStore
    private let changes: ChangeQueue?
    /// Told to which moments lanes are complete.
    let freshness: Freshness
    private let database: ServiceDatabase
    private let published: (ExporterFigures, _ alarmsChanged: Bool) -> Void
    private var decoder = ColumnDecoder()
    var pending: ExporterFigures
    /// Of what the files have stored, the rows that are in ``figures``.
    private var countedRows: Int64
    /// When acknowledged notices have been kept long enough.
    private var noticesExpireAt: UnixMilliseconds?
    /// When the oldest task of TMF642 has been kept long enough.
    private var tasksExpireAt: UnixMilliseconds?
    /// In which hours the rows of the step were received, by blocks.
    private var storedHours: [ClosedRange<Int64>] = []
    /// What became of prompts, by this transaction's blocks.
    private var outcomes: [EngagementKey: EngagementCounts] = [:]
    private var changedAlarms = 0
    private var decidedTasks = 0
    /// When commands that are answered are taken off the lane; nil if there are none.
    private var answeredDue: UnixMilliseconds? = 0
    /// Rings when the router has decided about commands.
    let decided: ChangeBroadcast
    private var changedEndpoints = 0
    /// Buckets whose cells this transaction changes.
    private var changedBuckets = ChangedBuckets()
    /// Spans of statistics that have them.
    private var changedSpans: Set<ExportSpan> = []

    /// - Parameters:
    ///   - database: with ``ExporterStore/migrations``; the same that the engine commits to.
    ///   - changes: that people ask for; the engine must write the lane `operations`.
    ///   - zone: whose days outcomes of prompts are counted by.
    ///   - pseudonymKey: of the names that tenants know devices by.
    package init(
        database: ServiceDatabase, files: RawRowFiles, exports: ExportShelf?, changes: ChangeQueue?, zone: TimeZone,
        pseudonymKey: SymmetricKey, freshness: Freshness = Freshness(), decided: ChangeBroadcast = ChangeBroadcast(),
        published: @escaping (_ figures: ExporterFigures, _ alarmsChanged: Bool) -> Void
    ) throws {
        self.files = files
        self.freshness = freshness
        self.decided = decided
        handlers = Self.handlers(files.layout.programmes)
        self.exports = exports
        self.changes = changes
        self.database = database
        self.published = published
        alarms = AlarmStore()
        engagement = EngagementStore(zone: zone)
        let months = MonthLedger(zone: zone)
        self.months = months
        erasure = RawErasure(files)
        self.pseudonymKey = pseudonymKey
        try RawRetirements.carryOut(files, database)
        (figures, noticesExpireAt, tasksExpireAt) = try database.write { db in
            try ExporterStore.countStored(files, db)
            try months.load(db)
            return (try ExporterFigures(db), try NoticeStore.nextExpiry(db), try TMFTaskStore.nextExpiry(db))
        }
        pending = figures
        countedRows = files.storedRows
    }

    public func prepare(_ blocks: [LaneBlock], now: Int64) throws {
        storedHours += try files.store(blocks)
    }

    /// What is done with each kind that the exporter reads itself; rows of what phones send are in the files by then.
    private static func handlers(_ programmes: Programmes) -> EffectHandlers<ExporterEffects> {
        EffectHandlers("analytics-exporter", stored: programmes.kinds.map(\.kind).filter { $0 != .prompt }, handlers)
    }

    private static let handlers: [RecordKind: EffectHandlers<ExporterEffects>.Handler] =
        [
            .prompt: { exporter, block, _ in
                PromptRows(block.columns).add(to: &exporter.outcomes, in: exporter.engagement.zone)
            },
            .cell: { exporter, block, transaction in
                let cells = try exporter.cells ?? CellStore(transaction.db)
                exporter.cells = cells
                exporter.pending.heatmapSamples += try cells.apply(
                    block.columns, version: block.header.kindVersion, changed: &exporter.changedBuckets)
            },
            .alarm: { exporter, block, transaction in
                exporter.changedAlarms += try exporter.alarms.apply(block.columns, in: transaction.db)
            },
            .alarmHandling: { exporter, block, transaction in
                exporter.changedAlarms += try AlarmHandlingStore.apply(block.columns, in: transaction.db)
                try exporter.alarms.trim(transaction.db)
            },
            .alarmTask: { exporter, block, transaction in
                exporter.decidedTasks += try AlarmTaskStore.apply(block.columns, in: transaction.db)
            },
            .campaignDay: { _, block, transaction in try CampaignStore.apply(block.columns, in: transaction.db) },
            .delivery: { _, block, transaction in try DeliveryStore.apply(block.columns, in: transaction.db) },
            .channelKey: { _, block, transaction in
                try NotifierKeyStore.apply(block.columns, in: transaction.db)
            },
            .sensorState: { _, block, transaction in
                try SiteTaskStore.applyStates(block.columns, in: transaction.db)
            },
            .siteTask: { exporter, block, transaction in
                exporter.decidedTasks += try SiteTaskStore.apply(block.columns, in: transaction.db)
            },
            .endpoint: { exporter, block, transaction in
                exporter.changedEndpoints += try EndpointStore.apply(block.columns, in: transaction.db)
            },
            .release: { _, block, transaction in try ReleaseStore.apply(block.columns, in: transaction.db) },
            .releaseAtom: { _, block, transaction in
                try ReleaseStore.applyAtoms(block.columns, in: transaction.db)
            },
            .releaseRound: { _, block, transaction in
                try ReleaseStore.applyRounds(block.columns, in: transaction.db)
            },
            .erasureOrder: { _, block, transaction in
                try ErasureOrderStore.apply(block.columns, in: transaction.db)
            },
        ]

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try handlers.require(kind, on: lane) }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        let now = transaction.now, db = transaction.db
        pending = figures
        pending.rawRows += files.storedRows - countedRows
        (changedAlarms, decidedTasks, changedEndpoints, outcomes) = (0, 0, 0, [:])
        changedBuckets = ChangedBuckets()
        var exporter = self
        for block in blocks {
            IdleTurn.giveWay()
            try handlers.handle(block, &decoder, with: &exporter, in: &transaction)
        }
        try exports?.rowsCame(storedHours, now: now, db)
        try noteFigures(now: now, db)
        try engagement.save(outcomes, now: now, in: db)
        if changedEndpoints > 0 { try changes?.noteChange(db) }
        try ExporterStore.add(pending.rawRows - figures.rawRows, to: .rawRows, in: db)
        try ExporterStore.set(.rawSequence, to: files.last, in: db)
        try ExporterStore.add(pending.heatmapSamples - figures.heatmapSamples, to: .heatmapSamples, in: db)
    }

    /// Files of statistics, and sums of months, of whose cells there are newer ones.
    private func noteFigures(now: UnixMilliseconds, _ db: Database) throws {
        guard !changedBuckets.all.isEmpty else { return }
        try months.daysChanged(changedBuckets.all.lazy.filter { $0.bucket == .day }.map(\.start), db)
        guard let exports else { return }
        changedSpans = Set(
            changedBuckets.all.compactMap { ExportSpan($0.bucket, begin: $0.start, in: zone) })
        try exports.figuresCame(changedSpans, now: now, db)
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        if let due = noticesExpireAt, due <= transaction.now {
            try NoticeStore.expire(now: transaction.now, transaction.db)
        }
        if let due = tasksExpireAt, due <= transaction.now {
            try TMFTaskStore.expire(now: transaction.now, transaction.db)
        }
        let isChanged =
            try changes?.perform(transaction.db, now: transaction.now, isFull: transaction.emit.isFull(.operations)) {
                record in
                try transaction.emit.append(to: .operations, kind: record.kind, columns: record.columns)
            } ?? false
        let hasForgotten = try forgetAnswered(&transaction)
        if isChanged { try exports?.lookForWaste(transaction.db) }
        noticesExpireAt = try NoticeStore.nextExpiry(transaction.db)
        tasksExpireAt = try TMFTaskStore.nextExpiry(transaction.db)
        return isChanged || hasForgotten
    }

    /// How soon a full lane is tried again, milliseconds.
    private static let retry: UnixMilliseconds = 1_000

    /// Takes commands off the lane that the router has answered; true if there were any.
    private func forgetAnswered(_ transaction: inout EffectTransaction) throws -> Bool {
        guard changes != nil, let due = answeredDue, due <= transaction.now else { return false }
        guard !transaction.emit.isFull(.operations) else {
            answeredDue = transaction.now + Self.retry
            return false
        }
        let limit = 64, tasks = try AlarmTaskStore.table.answered(limit: limit, transaction.db)
        let ofSites = try SiteTaskStore.table.answered(limit: limit, transaction.db)
        answeredDue = max(tasks.count, ofSites.count) == limit ? transaction.now : nil
        for (kind, tasks) in [(RecordKind.alarmCommand, tasks), (.siteCommand, ofSites)] where !tasks.isEmpty {
            try transaction.emit.append(to: .operations, kind: kind, columns: .tombstones(tasks.map { ($0, nil) }))
        }
        try AlarmTaskStore.table.forgetCommands(of: tasks, transaction.db)
        try SiteTaskStore.table.forgetCommands(of: ofSites, transaction.db)
        return !tasks.isEmpty || !ofSites.isEmpty
    }

    public func committed(now: Int64) throws {
        storedHours = []
        exports?.figuresCommitted(changedSpans)
        changedSpans = []
        try exports?.sweep(database)
        figures = pending
        countedRows = files.storedRows
        published(figures, changedAlarms > 0)
        if decidedTasks > 0 {
            answeredDue = now
            decided.send()
        }
        (changedAlarms, decidedTasks) = (0, 0)
        changes?.committed()
    }

    public func appliedAll(before moment: UnixMilliseconds) { exports?.close(before: moment) }

    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) {
        freshness.set(moments)
        if let moment = freshness.completeTo(.statistics) { exports?.closeFigures(before: moment) }
    }

    public var shownTo: UnixMilliseconds? { freshness.completeTo(.statistics) }

    /// At once while changes wait, else when a notice, a task or an answered command is to go.
    public var nextTick: Int64? {
        guard let changes else { return noticesExpireAt }
        return changes.waiting > 0 ? 0 : [noticesExpireAt, tasksExpireAt, answeredDue].compactMap(\.self).min()
    }
}
