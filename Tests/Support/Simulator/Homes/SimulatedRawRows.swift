import AnalyticsExporter
import ExporterRows
import Lanes
import QoE
import ServiceKit
import Storage
import TemporaryFiles

/// The exporter's day files, and where its exports are: in memory as long as the run lasts, or in a home, opened anew in each
/// life.
final class SimulatedRawRows {
    private(set) var files: RawRowFiles
    /// Where files of exports are.
    private(set) var exports: String
    private let memory: TemporaryDirectory
    private let sealer: BlockSealer?

    init(sealer: BlockSealer?) throws {
        self.sealer = sealer
        memory = try TemporaryDirectory(inMemory: true)
        exports = memory.path("exports")
        files = try RawRowFiles(RawRowLayout(.qoe), directory: RawRowFiles.inMemory, sealer: sealer)
    }

    /// Opens those of a home, and brings them over if the home was restored.
    func open(in home: Home, _ database: ServiceDatabase) throws {
        let directory = home.directory(of: .analyticsExporter)
        exports = directory + "/exports"
        files = try ExporterFolder(
            .qoe, database: database, directory: directory, rawOptions: DatabaseOptions(),
            sealer: sealer, restoration: home.restoration()
        ).files
    }
}
