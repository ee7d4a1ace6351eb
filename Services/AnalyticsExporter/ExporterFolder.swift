internal import Crypto
public import ExporterRows
internal import ExporterStores
internal import Foundation
public import Lanes
public import Models
internal import ServiceKit
public import Storage

/// What the exporter keeps on disk: its database, its day files, and its secrets.
///
/// Composition shared by the program, tests and the simulator.
public struct ExporterFolder {
    public let database: ServiceDatabase
    public let files: RawRowFiles
    /// Nil in memory, where no exports are made.
    let exports: ExportShelf?

    /// Cells are overwritten all over the table, so its inner pages and hot leaves are kept and checkpoints are rare. Cells
    /// and alarms are figures about nobody, but ordinals of subjects that are being erased, and pseudonyms in notices, stand in
    /// the same file: what is deleted is overwritten.
    static let stateOptions = DatabaseOptions(
        cacheBytes: 40 << 20, pageBytes: 16_384, checkpointPages: 8_000, writesBackSteadily: true)
    /// Blocks of raw rows are only appended. Small pages: of the last one of a block a third is left over, on the mean.
    static let rawOptions = DatabaseOptions(
        cacheBytes: 2 << 20, pageBytes: 1_024, checkpointPages: 4_000, writesBackSteadily: true)

    /// Opens `state.sqlite`, `raw/` and `exports/` in a directory, which must exist.
    ///
    /// - Parameters:
    ///   - programmes: whose rows come.
    ///   - restoration: the restore that the home came out of, if it did.
    public init(
        _ programmes: Programmes, directory: String, vfs: String? = nil, sealer: BlockSealer?,
        restoration: Restoration? = nil
    ) throws {
        var stateOptions = Self.stateOptions, rawOptions = Self.rawOptions
        stateOptions.vfs = vfs
        rawOptions.vfs = vfs
        let database = try ServiceDatabase(
            path: directory + "/state.sqlite", migrations: ExporterStore.migrations, options: stateOptions)
        try self.init(
            programmes, database: database, directory: directory, rawOptions: rawOptions, sealer: sealer,
            restoration: restoration)
    }

    /// Takes a restore in and opens `raw/` and `exports/` beside a database that is open already, with ``ExporterStore/migrations``.
    ///
    /// - Parameter rawOptions: how the day files are opened.
    public init(
        _ programmes: Programmes, database: ServiceDatabase, directory: String, rawOptions: DatabaseOptions,
        sealer: BlockSealer?,
        restoration: Restoration?
    ) throws {
        let raw = directory + "/raw", layout = RawRowLayout(programmes)
        try FileManager.default.createDirectory(
            atPath: raw, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.database = database
        try RestoredExporter(database: database, raw: raw, options: rawOptions, layout: layout).settle(restoration)
        let leap = try database.read { try ExporterStore.value(of: .rawLeap, $0) }
        files = try RawRowFiles(layout, directory: raw, options: rawOptions, sealer: sealer, leap: leap)
        exports = try ExportShelf(layout, directory: directory + "/exports", sealer: sealer, database)
    }

    /// In memory, for simulations; what a crash would keep is kept as long as the value lives.
    public init(_ programmes: Programmes) throws {
        database = try ServiceDatabase(path: ":memory:", migrations: ExporterStore.migrations)
        files = try RawRowFiles(RawRowLayout(programmes), directory: RawRowFiles.inMemory, sealer: nil)
        exports = nil
    }
}
