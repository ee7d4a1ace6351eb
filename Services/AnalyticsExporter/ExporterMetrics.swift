internal import ExporterStores
internal import ExporterSupport
internal import GRDB
internal import Lanes
internal import ServiceKit

/// The exporter's figures at `/metrics`. Usable from any thread.
struct ExporterMetrics: Sendable {
    private let rawRows: Counter
    private let erasedRows: Counter
    private let retiredRows: Counter
    private let heatmapSamples: Gauge
    private let blocks: Counter

    init(_ metrics: Metrics, alarmChanges: ChangeBroadcast, freshness: Freshness) {
        rawRows = metrics.counter(
            "nkul_raw_rows_total", "Raw rows stored since the home began; moves with the cursors.")
        erasedRows = metrics.counter(
            "nkul_raw_rows_erased_total", "Of these, raw rows that were erased since; moves with the erasures.")
        retiredRows = metrics.counter(
            "nkul_raw_rows_retired_total", "Of these, raw rows whose time was over; moves with the retention runs.")
        heatmapSamples = metrics.gauge(
            "nkul_heatmap_samples",
            "Samples of all day cells at the coarsest level and without a cell; moves with the cursors.")
        blocks = metrics.counter("nkul_exporter_blocks_total", "Blocks applied.")
        metrics.gauge("nkul_alarm_streams", "Clients that follow alarms.") { Int64(alarmChanges.listeners) }
        for figure in Figure.allCases {
            metrics.gauge(
                "nkul_figures_complete_to_seconds",
                "Everything acknowledged to phones before this Unix time counts in these figures; 0 while that is not known.",
                labels: ["figure": figure.rawValue]
            ) { (freshness.completeTo(figure) ?? 0) / 1_000 }
        }
    }

    /// Called by one thread at a time.
    func show(_ totals: ExporterFigures) {
        rawRows.add(Int(totals.rawRows + totals.erasedRows + totals.retiredRows) - Int(rawRows.value))
        erasedRows.add(Int(totals.erasedRows) - Int(erasedRows.value))
        retiredRows.add(Int(totals.retiredRows) - Int(retiredRows.value))
        heatmapSamples.set(totals.heatmapSamples)
    }

    func show(step outcome: EffectOutcome) { blocks.add(outcome.appliedBlocks) }
}

/// Totals that are moved in the same transaction as the cursors, and so are exact after any crash.
public struct ExporterFigures: Sendable, Equatable {
    /// Raw rows that are there.
    public var rawRows: Int64
    /// Raw rows that were there and were erased.
    public var erasedRows: Int64
    /// Raw rows that were there until their time was over.
    public var retiredRows: Int64
    /// Samples in the heat map: the sum over all day cells at the coarsest level and without a cell.
    public var heatmapSamples: Int64
}

extension ExporterFigures {
    init(_ db: Database) throws {
        rawRows = try ExporterStore.value(of: .rawRows, db)
        erasedRows = try ExporterStore.value(of: .erasedRows, db)
        retiredRows = try ExporterStore.value(of: .retiredRows, db)
        heatmapSamples = try ExporterStore.value(of: .heatmapSamples, db)
    }
}
