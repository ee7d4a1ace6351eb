internal import Crypto
internal import Foundation
internal import ServiceKit
public import Storage

/// What the exporter keeps on disk: its database, its day files, and its secrets.
///
/// Composition shared by the program, tests and the simulator.
public struct ExporterFolder {
    public let database: ServiceDatabase
    public let files: RawRowFiles

    /// Opens `state.sqlite` and `raw/` in a directory, which must exist.
    public init(directory: String, options: DatabaseOptions = DatabaseOptions(), sealer: BlockSealer?) throws {
        let raw = directory + "/raw"
        try FileManager.default.createDirectory(
            atPath: raw, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        database = try ServiceDatabase(
            path: directory + "/state.sqlite", migrations: ExporterStore.migrations, options: options)
        files = try RawRowFiles(directory: raw, options: options, sealer: sealer)
    }

    /// In memory, for simulations; what a crash would keep is kept as long as the value lives.
    public init() throws {
        database = try ServiceDatabase(path: ":memory:", migrations: ExporterStore.migrations)
        files = try RawRowFiles(directory: RawRowFiles.inMemory, sealer: nil)
    }
}
