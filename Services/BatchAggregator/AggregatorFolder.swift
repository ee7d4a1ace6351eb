internal import AggregatorCells
public import AggregatorDeriving
internal import AggregatorFolding
internal import AggregatorReleasing
internal import Foundation
public import Lanes
internal import Models
internal import Releases
internal import ServiceKit
public import Storage
internal import SubjectRights

/// The aggregator's part of a home, opened for writing: database, day files, journal, effects and the engine over them.
///
///     batch-aggregator/state.sqlite             cells, what is folded, cursors, journal of rollups
///     batch-aggregator/open/<yyyy-mm-dd>.sqlite open rows of a local day
struct AggregatorFolder {
    /// SQLite's page cache for cells, in bytes.
    static let cacheBytes = 8 << 20

    let database: ServiceDatabase
    let open: OpenRowDirectory
    let journal: Journal
    let effects: AggregatorEffects
    let engine: EffectEngine

    /// - Parameters:
    ///   - programmes: whose rows count.
    ///   - releases: whether releases are made while the engine runs.
    init(
        _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes,
        figures: AggregatorFigures? = nil, releases: Bool
    ) throws {
        let common = configuration.common
        let zone = try AggregatorFolder.zone(common)
        let database = try ServiceDatabase(
            path: host.home.database(of: .batchAggregator), migrations: AggregatorSchema.migrations,
            options: DatabaseOptions(
                cacheBytes: AggregatorFolder.cacheBytes, pageBytes: 16_384, checkpointPages: 8_000,
                writesBackSteadily: true))
        let sealer =
            common.encryptBlocks
            ? try KeyStore(directory: host.home.keys).blockSealer(service: ServiceName.batchAggregator.rawValue) : nil
        let open = try OpenRowDirectory(path: AggregatorFolder.openDirectory(host.home), timeZone: zone)
        let restoration = try host.home.restoration()
        if let restoration {
            try RestoredStatistics.settle(restoration, database, open)
        }
        let journal = try Journal(
            lane: .rollups, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .rollups)),
            sealer: sealer)
        try PopulationMigration.finish(database, journal)
        let keys = try KeyStore(directory: host.home.keys)
        let settings = try releases ? ReleaseSettings(configuration, keys) : nil
        let effects = try AggregatorEffects(
            programmes, database: database, open: open, timeZone: zone, isRollupsFull: { journal.isFull },
            stopwatch: { Int64(ContinuousClock.now.duration(to: AggregatorFolder.start) / .milliseconds(-1)) },
            minimumDevices: configuration.minimumDevices, awaitedErasures: restoration?.awaitedErasures ?? [],
            releases: settings, report: { figures?.show($0) })
        self.database = database
        self.open = open
        self.journal = journal
        self.effects = effects
        let key = try ReceiptKey(keys, service: ServiceName.batchAggregator.rawValue)
        engine = try EffectEngine(
            database: database, reads: AggregatorEffects.subscriptions(programmes), journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjects(rollups: journal), database: database, journals: [journal], key: key))
    }

    static func openDirectory(_ home: Home) -> String { home.directory(of: .batchAggregator) + "/open" }

    static func zone(_ common: CommonConfiguration) throws -> TimeZone {
        guard let zone = TimeZone(identifier: common.timeZone) else {
            throw ServiceError(.usage, "NKUL_TIME_ZONE: \"\(common.timeZone)\" is not a time zone of this system")
        }
        return zone
    }

    private static let start = ContinuousClock.now
}

/// Brings the aggregator's files over after a restore.
public enum RestoredStatistics {
    /// Rows of blocks behind the cursors go while they can be told by the generation of the backup; the blocks come again
    /// under their old numbers and a new generation, or never. Does nothing if it was done before.
    public static func settle(_ restoration: Restoration, _ database: ServiceDatabase, _ open: OpenRowDirectory) throws
    {
        guard try !restoration.isSettled(database) else { return }
        try UncommittedRows.remove(database, open)
        try restoration.settle(database) { db in
            try FoldLedger.goOn(restoration, db)
            try ReleaseStore.noteRestore(at: restoration.restoredAt / 1_000, db)
        }
    }
}

extension ReleaseSettings {
    /// Reads the secret `keys/batch-aggregator.releases.root`, or makes it.
    ///
    /// - Throws: `StorageError` `badKey` naming the file.
    init(_ configuration: BatchAggregatorConfiguration, _ keys: KeyStore) throws {
        let name = Home.releasesSecret
        var generator = SystemRandomNumberGenerator()
        let root = try keys.secret(name) { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        guard root.count == 32 else {
            throw StorageError(.badKey, path: keys.path(name), message: "holds \(root.count) bytes instead of 32")
        }
        self.init(rules: ReleaseRules(k: configuration.releaseDevices), trust: configuration.releaseTrust, root: root)
    }
}
