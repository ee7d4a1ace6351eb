import AggregatorDeriving
import BatchAggregator
import Lanes
import ServiceKit
import Storage

/// The aggregator's day files: in memory as long as the run lasts, or in a home, opened anew in each life.
final class SimulatedOpenRows {
    private(set) var directory: OpenRowDirectory
    /// Those since the backup that the home is from.
    private(set) var awaitedErasures: [String] = []

    init() throws {
        directory = try OpenRowDirectory(path: nil, timeZone: SimulatedReader.Plan.zone)
    }

    /// Opens those of a home, and brings them over if the home was restored.
    func open(in home: Home, _ database: ServiceDatabase) throws {
        directory = try OpenRowDirectory(
            path: home.directory(of: .batchAggregator) + "/open", timeZone: SimulatedReader.Plan.zone,
            options: DatabaseOptions())
        if let restoration = try home.restoration() {
            awaitedErasures = restoration.awaitedErasures
            try RestoredStatistics.settle(restoration, database, directory)
        }
    }
}
