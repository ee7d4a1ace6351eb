import Foundation
public import Models
public import ServiceKit
import Storage

/// What the aggregator's program does instead of serving.
public enum BatchAggregatorActions {
    /// `--dump` and `--rebuild`.
    ///
    /// - Parameter programmes: whose rows count.
    public static func all(_ programmes: Programmes) -> [ServiceAction<BatchAggregatorConfiguration>] {
        [
            ServiceAction(
                "--dump", "print every statistics cell, a line each, sorted; also while the service runs",
                claim: .none, perform: { configuration, host in try dump(configuration, host, programmes) }),
            ServiceAction(
                "--rebuild",
                "make all cells of open buckets anew from open rows and publish them; the service must be stopped",
                claim: .exclusive, perform: { configuration, host in try rebuild(configuration, host, programmes) }),
        ]
    }

    private static func dump(
        _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes
    ) throws {
        let path = host.home.database(of: .batchAggregator)
        guard FileManager.default.fileExists(atPath: path) else {
            throw ServiceError(.home, "\(path) is not there: the aggregator has not run in this home yet")
        }
        var output = StandardOutput()
        try CellDump.write(
            programmes, ReadOnlyDatabase(path: path), openDirectory: AggregatorFolder.openDirectory(host.home),
            timeZone: AggregatorFolder.zone(configuration.common)
        ) { try output.write($0) }
        try output.flush()
    }

    private static func rebuild(
        _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes
    ) throws {
        let folder = try AggregatorFolder(configuration, host, programmes)
        try AggregatorRebuild.run(folder.engine, folder.open, folder.effects, now: host.clock.now) { waiting in
            FileHandle.standardError.write(Data("\(waiting) blocks to go\n".utf8))
        }
    }
}
