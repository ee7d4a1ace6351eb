internal import ServiceKit

/// Figures of exports at `/metrics`. Usable from any thread.
struct ExportMetrics: Sendable {
    let failures: Counter
    private let made: Counter
    private let rows: Counter
    private let waiting: Gauge
    private let stale: Gauge

    init(_ metrics: Metrics) {
        failures = metrics.counter("nkul_export_failures_total", "Exports that could not be made; the log says why.")
        made = metrics.counter("nkul_exports_made_total", "Files of exports that were made, those made anew too.")
        rows = metrics.counter("nkul_export_rows_total", "Raw rows in files of hours that were made.")
        waiting = metrics.gauge("nkul_exports_waiting", "Files of exports that are to be made for the first time.")
        stale = metrics.gauge(
            "nkul_exports_stale", "Files of exports whose rows have changed and that are to be made anew.")
    }

    func show(_ orders: ExportOrders) {
        waiting.set(Int64(orders.waiting))
        stale.set(Int64(orders.stale))
    }

    func made(_ export: StoredExport) {
        made.add()
        if export.span.period == .hour { rows.add(export.rows) }
    }
}
