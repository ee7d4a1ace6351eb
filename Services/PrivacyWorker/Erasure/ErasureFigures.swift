internal import Logging
internal import Models
internal import ServiceKit
internal import Storage

/// How erasures stand, at `/metrics` and in the log.
final class ErasureFigures: Sendable {
    private let host: ServiceHost
    private let reader: ReadOnlyDatabase
    private let open: Gauge
    private let lateOnes: Gauge
    private let completed: Gauge
    private let oldest: Gauge
    private let refusals: Counter

    init(_ host: ServiceHost, reader: ReadOnlyDatabase) {
        self.host = host
        self.reader = reader
        open = host.metrics.gauge("nkul_erasures_open", "Erasures that are not completed.")
        lateOnes = host.metrics.gauge(
            "nkul_erasures_late", "Erasures that are not completed although their time is over.")
        completed = host.metrics.gauge("nkul_erasures_completed", "Erasures that are completed.")
        oldest = host.metrics.gauge(
            "nkul_erasures_oldest_seconds", "Age of the oldest erasure that is not completed.", divisor: 1_000)
        refusals = host.metrics.counter(
            "nkul_erasure_receipts_refused_total", "Receipts that no known key of their service signed.")
    }

    /// Reads how they stand; about once a second.
    func look() {
        guard let standing = try? reader.read({ try ErasureOrders($0).standing(now: host.clock.now()) }) else { return }
        open.set(Int64(standing.open))
        lateOnes.set(Int64(standing.late))
        completed.set(Int64(standing.completed))
        oldest.set(standing.oldest ?? 0)
    }

    func late(_ order: ErasureOrderDocument) {
        host.logger.error(
            "an erasure is late", metadata: ["request": "\(order.request)", "due_at_ms": "\(order.dueAt)"])
    }

    func refused(_ receipt: ErasureReceiptDocument) {
        refusals.add()
        host.logger.error(
            "a receipt is not signed by a known key",
            metadata: ["request": "\(receipt.request)", "service": "\(receipt.service)", "key": "\(receipt.keyID)"])
    }
}
