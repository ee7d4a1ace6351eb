public import GRDB
public import Lanes
internal import Models
public import Storage
internal import Wire

/// What the exporter does with blocks: raw rows into day files, then cells, alarms and figures with the cursor.
///
/// Deterministic, confined to the thread of the engine; the simulator drives it directly.
public final class ExporterEffects: BlockEffects {
    /// Totals after the last commit.
    public private(set) var figures: ExporterFigures
    private let files: RawRowFiles
    private let alarms: AlarmStore
    private let published: (ExporterFigures, _ alarmsChanged: Bool) -> Void
    private var decoder = ColumnDecoder()
    private var pending: ExporterFigures
    private var changedAlarms = 0

    /// - Parameters:
    ///   - database: with ``ExporterStore/migrations``; the same that the engine commits to.
    ///   - published: called after each commit with the totals and whether alarms changed.
    public init(
        database: ServiceDatabase, files: RawRowFiles,
        published: @escaping (_ figures: ExporterFigures, _ alarmsChanged: Bool) -> Void = { _, _ in }
    ) throws {
        self.files = files
        self.published = published
        alarms = AlarmStore()
        figures = try database.read { db in
            ExporterFigures(
                rawRows: try ExporterStore.value(of: .rawRows, db),
                heatmapSamples: try ExporterStore.value(of: .heatmapSamples, db))
        }
        pending = figures
    }

    public func prepare(_ blocks: [LaneBlock], now: Int64) throws {
        try files.store(blocks)
    }

    public func apply(_ blocks: [LaneBlock], now: Int64, in db: Database, emit: inout Emission) throws {
        pending = figures
        changedAlarms = 0
        for block in blocks { try apply(block, in: db) }
        try ExporterStore.add(pending.rawRows - figures.rawRows, to: .rawRows, in: db)
        try ExporterStore.add(pending.heatmapSamples - figures.heatmapSamples, to: .heatmapSamples, in: db)
    }

    public func tick(now: Int64, in db: Database, emit: inout Emission) throws -> Bool { false }

    public func committed(now: Int64) {
        figures = pending
        published(figures, changedAlarms > 0)
        changedAlarms = 0
    }

    public var nextTick: Int64? { nil }

    private func apply(_ block: LaneBlock, in db: Database) throws {
        switch block.block.header.kind {
        case RecordKind.report.id, RecordKind.feedback.id:
            pending.rawRows += Int64(block.block.header.rowCount)
        case RecordKind.cell.id:
            pending.heatmapSamples += try CellStore.apply(block.block.columns(with: &decoder), in: db)
        case RecordKind.alarm.id:
            changedAlarms += try alarms.apply(block.block.columns(with: &decoder), in: db)
        default:
            break
        }
    }
}
