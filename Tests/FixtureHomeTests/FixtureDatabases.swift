import AggregatorCells
import AlertRouter
import AnalyticsExporter
import BatchAggregator
import ExporterRows
import ExporterStores
import Foundation
import IngestAPI
import IngestSupport
import PipelineTesting
import PrivacyWorker
import RewardDispatcher
import Storage
import TemporaryFiles

/// The databases of an unpacked fixture home, each with the migrations of this build.
struct FixtureDatabases {
    let directory: TemporaryDirectory
    /// Paths below the home.
    let names: [String]

    init(_ fixture: FixtureHome) throws {
        directory = try TemporaryDirectory(inMemory: true)
        try fixture.unpack(into: directory)
        let files = FileManager.default.enumerator(atPath: directory.path("home"))?.compactMap { $0 as? String } ?? []
        names = files.filter { $0.hasSuffix(".sqlite") }.sorted()
    }

    func path(_ name: String) -> String { directory.path("home/\(name)") }

    /// Nil for a database that this build does not open any more, which fails a test.
    static func migrations(of name: String) -> [Migration]? {
        switch name {
        case "alert-router/state.sqlite": AlertRouterEffects.migrations
        case "analytics-exporter/state.sqlite": ExporterStore.migrations
        case "batch-aggregator/state.sqlite": AggregatorEffects.migrations
        case "ingest/copies.sqlite": CopiesSchema.migrations
        case "ingest/state.sqlite": IngestSchema.migrations
        case "privacy-worker/state.sqlite": PrivacyWorkerEffects.migrations
        case "reward-dispatcher/sandbox.sqlite": SandboxProvider.migrations
        case "reward-dispatcher/state.sqlite": RewardDispatcherEffects.migrations
        case _ where name.hasPrefix("analytics-exporter/raw/"): DayFile.migrations
        case _ where name.hasPrefix("batch-aggregator/open/"): AggregatorSchema.dayMigrations
        default: nil
        }
    }

    /// Opens a database as its service does, which brings it forward.
    func open(_ name: String) throws -> ServiceDatabase {
        try ServiceDatabase(path: path(name), migrations: Self.migrations(of: name) ?? [])
    }
}
