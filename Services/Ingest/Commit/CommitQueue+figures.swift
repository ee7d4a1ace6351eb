package import IngestSupport
package import ServiceKit

extension CommitQueue {
    /// A queue with the limits of the settings that shows what waits in it.
    ///
    /// - Parameter urgentCame: told of each urgent job while it waits; from any thread.
    package convenience init(
        _ configuration: IngestConfiguration, _ metrics: Metrics, urgentCame: @escaping @Sendable () -> Void
    ) {
        self.init(
            rowLimit: configuration.queueRows, byteLimit: configuration.queueBytes,
            refused: metrics.queueRefusals("commit"), urgentCame: urgentCame)
        metrics.queue("commit", unit: "rows", limit: configuration.queueRows) { [weak self] in self?.depth ?? 0 }
        metrics.queue("commit", unit: "bytes", limit: configuration.queueBytes) { [weak self] in self?.byteDepth ?? 0 }
    }
}
