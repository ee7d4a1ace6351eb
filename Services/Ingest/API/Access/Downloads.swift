internal import IngestUploads
package import ServiceKit
internal import Synchronization

/// A bounded number of copies that are read at once; more are refused, not queued. Thread-safe.
package final class Downloads: Sendable {
    /// One of them, until nobody holds it any more.
    package final class Permit: Sendable {
        private let downloads: Downloads

        fileprivate init(_ downloads: Downloads) { self.downloads = downloads }

        deinit { downloads.taken.subtract(1, ordering: .relaxed) }
    }

    private let limit: Int
    private let taken = Atomic(0)
    private let refused: Counter?

    /// - Parameter metrics: shows how many there are; nil: nobody asks.
    package init(limit: Int = 16, _ metrics: Metrics? = nil) {
        self.limit = limit
        refused = metrics?.queueRefusals("data_downloads")
        metrics?.queue("data_downloads", unit: "requests", limit: limit) { [weak self] in
            self?.taken.load(ordering: .relaxed) ?? 0
        }
    }

    /// - Throws: ``DeviceAPIError/busy`` if all are taken.
    func take() throws(DeviceAPIError) -> Permit {
        guard taken.add(1, ordering: .relaxed).newValue <= limit else {
            taken.subtract(1, ordering: .relaxed)
            refused?.add()
            throw .busy
        }
        return Permit(self)
    }
}
