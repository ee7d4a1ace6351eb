package import IngestSupport
package import ServiceKit
internal import Synchronization

/// Bounds the bytes of all bodies that are being received at one moment.
package final class BodyBudget: Sendable {
    private let used = Atomic<Int>(0)
    private let limit: Int
    private let refused: Counter?

    /// - Parameter refused: counts what did not fit.
    init(limit: Int, refused: Counter? = nil) {
        self.limit = limit
        self.refused = refused
    }

    /// Bytes that are taken.
    var bytes: Int { used.load(ordering: .relaxed) }

    /// Takes bytes; false if there are not as many.
    func take(_ bytes: Int) -> Bool {
        guard used.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit else {
            give(bytes)
            refused?.add()
            return false
        }
        return true
    }

    func give(_ bytes: Int) { used.wrappingSubtract(bytes, ordering: .relaxed) }
}

extension BodyBudget {
    /// A budget with the limit of the settings that shows what is taken of it.
    package convenience init(_ configuration: IngestConfiguration, _ metrics: Metrics) {
        self.init(limit: configuration.receivingBytes, refused: metrics.queueRefusals("bodies"))
        metrics.queue("bodies", unit: "bytes", limit: configuration.receivingBytes) { [weak self] in self?.bytes ?? 0 }
    }
}
