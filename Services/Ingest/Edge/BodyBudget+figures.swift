package import IngestSupport
package import ServiceKit

extension BodyBudget {
    /// A budget with the limit of the settings that shows what is taken of it.
    package convenience init(_ configuration: IngestConfiguration, _ metrics: Metrics) {
        self.init(limit: configuration.receivingBytes, refused: metrics.queueRefusals("bodies"))
        metrics.queue("bodies", unit: "bytes", limit: configuration.receivingBytes) { [weak self] in self?.bytes ?? 0 }
    }
}
