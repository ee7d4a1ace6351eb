import AggregatorFolding
import AggregatorReleasing
import AggregatorSealing
import Lanes
import ServiceKit

/// What a committed step did to cells, and what is left to do.
struct FoldProgress: Equatable {
    /// Cells of the folds since the last report.
    var folded = FoldedCells()
    /// Blocks whose open rows are not in cells yet.
    var waitingBlocks = 0
    /// Open rows erased since the last report.
    var erasedRows = 0
    /// Cells of buckets that were sealed since the last report.
    var sealed = SealedCells()
    /// Rows that came when their bucket was sealed, and do not count, since the last report.
    var lateRows = 0
    /// What was released since the last report.
    var released = ReleaseFigures()

    /// What has happened so far was told.
    mutating func isReported() {
        self = FoldProgress(waitingBlocks: waitingBlocks)
    }
}

/// The aggregator's figures at `/metrics`. Usable from any thread.
struct AggregatorFigures: Sendable {
    private let rows: Counter
    private let own: Counter
    private let references: Counter
    private let unchanged: Counter
    private let erased: Counter
    private let waiting: Gauge
    private let sealed: Counter
    private let tooFew: Counter
    private let late: Counter
    private let releases: ReleaseMetrics

    init(_ metrics: Metrics) {
        rows = metrics.counter("nkul_aggregator_rows_total", "Rows taken from lanes.")
        own = AggregatorFigures.changed("own", metrics)
        references = AggregatorFigures.changed("reference", metrics)
        unchanged = metrics.counter(
            "nkul_aggregator_references_kept_total",
            "References to a finer cell that still held when rows came to it, so that nothing was written.")
        erased = metrics.counter(
            "nkul_aggregator_erased_rows_total", "Open rows of erased subjects, taken out of day files and cells.")
        sealed = AggregatorFigures.sealed("kept", metrics)
        tooFew = AggregatorFigures.sealed("removed", metrics)
        late = metrics.counter(
            "nkul_aggregator_late_rows_total", "Rows that came when their bucket was sealed and do not count.")
        releases = ReleaseMetrics(metrics)
        waiting = metrics.gauge(
            "nkul_aggregator_waiting_blocks", "Blocks whose open rows are on disk but not yet in cells.")
    }

    func show(_ progress: FoldProgress) {
        own.add(progress.folded.own)
        references.add(progress.folded.references)
        unchanged.add(progress.folded.unchanged)
        erased.add(progress.erasedRows)
        waiting.set(Int64(progress.waitingBlocks))
        sealed.add(progress.sealed.kept)
        tooFew.add(progress.sealed.removed)
        late.add(progress.lateRows)
        releases.show(progress.released)
    }

    func show(step outcome: EffectOutcome) { rows.add(outcome.appliedRows) }

    private static func sealed(_ outcome: String, _ metrics: Metrics) -> Counter {
        metrics.counter(
            "nkul_aggregator_sealed_cells_total",
            "Cells of sealed buckets: kept without devices, or removed because they had too few.",
            labels: ["outcome": outcome])
    }

    private static func changed(_ form: String, _ metrics: Metrics) -> Counter {
        metrics.counter(
            "nkul_aggregator_cells_changed_total",
            "Cells written and published: with figures of their own, or as references to a finer cell.",
            labels: ["form": form])
    }
}
