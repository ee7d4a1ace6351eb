import AnalyticsExporter
import Lanes
import ServiceKit
import Storage

/// The exporter's day files: in memory as long as the run lasts, or in a home, opened anew in each life.
final class SimulatedRawRows {
    private(set) var files: RawRowFiles
    private let sealer: BlockSealer?

    init(sealer: BlockSealer?) throws {
        self.sealer = sealer
        files = try RawRowFiles(directory: RawRowFiles.inMemory, sealer: sealer)
    }

    /// Opens those of a home, and brings them over if the home was restored.
    func open(in home: Home, _ database: ServiceDatabase) throws {
        files = try ExporterFolder(
            database: database, directory: home.directory(of: .analyticsExporter), rawOptions: DatabaseOptions(),
            sealer: sealer, restoration: home.restoration()
        ).files
    }
}
