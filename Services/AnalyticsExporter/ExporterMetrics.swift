internal import Lanes
internal import ServiceKit

/// The exporter's figures at `/metrics`. Usable from any thread.
struct ExporterMetrics: Sendable {
    private let rawRows: Counter
    private let erasedRows: Counter
    private let retiredRows: Counter
    private let heatmapSamples: Gauge
    private let blocks: Counter

    init(_ metrics: Metrics, bell: AlarmBell) {
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
        metrics.gauge("nkul_alarm_streams", "Clients that follow alarms.") { Int64(bell.listeners) }
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
