import Lanes
import ServiceKit

/// The aggregator's figures at `/metrics`. Usable from any thread.
struct AggregatorFigures: Sendable {
    private let rows: Counter
    private let cells: Counter
    private let waiting: Gauge
    private let steps: Histogram

    init(_ metrics: Metrics) {
        rows = metrics.counter("nkul_aggregator_rows_total", "Rows taken from lanes.")
        cells = metrics.counter("nkul_aggregator_cells_changed_total", "Cells written and published.")
        waiting = metrics.gauge(
            "nkul_aggregator_waiting_blocks", "Blocks whose open rows are on disk but not yet in cells.")
        steps = metrics.latency("nkul_aggregator_step_seconds", "Time from taking blocks, or folding, to the commit.")
    }

    func show(_ progress: FoldProgress) {
        cells.add(progress.changedCells)
        waiting.set(Int64(progress.waitingBlocks))
    }

    func show(step outcome: EffectOutcome, took: Duration) {
        rows.add(outcome.appliedRows)
        steps.observe(took)
    }
}
