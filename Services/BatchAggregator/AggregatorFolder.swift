internal import AggregatorCells
public import AggregatorDeriving
internal import AggregatorFolding
internal import Foundation
public import Lanes
internal import Models
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

    /// - Parameter programmes: whose rows count.
    init(
        _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost, _ programmes: Programmes,
        figures: AggregatorFigures? = nil
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
        let effects = try AggregatorEffects(
            programmes, database: database, open: open, timeZone: zone, isRollupsFull: { journal.isFull },
            stopwatch: { Int64(ContinuousClock.now.duration(to: AggregatorFolder.start) / .milliseconds(-1)) },
            minimumDevices: configuration.minimumDevices, awaitedErasures: restoration?.awaitedErasures ?? [],
            report: { figures?.show($0) })
        self.database = database
        self.open = open
        self.journal = journal
        self.effects = effects
        let key = try ReceiptKey(
            KeyStore(directory: host.home.keys), service: ServiceName.batchAggregator.rawValue)
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
        try restoration.settle(database) { try FoldLedger.goOn(restoration, $0) }
    }
}
