package import ServiceKit
package import Storage
package import SubjectRights

extension DeviceDirectory {
    /// A directory with the limits of the settings that shows how many look-ups wait.
    package convenience init(
        _ configuration: IngestConfiguration, _ database: ServiceDatabase, _ metrics: Metrics,
        _ suppression: SuppressionKey
    ) throws {
        self.init(
            reader: try database.reader(), cachedDevices: configuration.cachedDevices,
            lookUpLimit: configuration.lookUps, refused: metrics.queueRefusals("lookups"), suppression: suppression)
        metrics.queue("lookups", unit: "requests", limit: configuration.lookUps) { [weak self] in self?.waiting ?? 0 }
    }
}
