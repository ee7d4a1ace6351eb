import Lanes
import ServiceKit

/// The aggregator's figures at `/metrics`. Usable from any thread.
struct AggregatorFigures: Sendable {
    private let rows: Counter
    private let cells: Counter
    private let waiting: Gauge

    init(_ metrics: Metrics) {
        rows = metrics.counter("nkul_aggregator_rows_total", "Rows taken from lanes.")
        cells = metrics.counter("nkul_aggregator_cells_changed_total", "Cells written and published.")
        waiting = metrics.gauge(
            "nkul_aggregator_waiting_blocks", "Blocks whose open rows are on disk but not yet in cells.")
    }

    func show(_ progress: FoldProgress) {
        cells.add(progress.changedCells)
        waiting.set(Int64(progress.waitingBlocks))
    }

    func show(step outcome: EffectOutcome) { rows.add(outcome.appliedRows) }
}
