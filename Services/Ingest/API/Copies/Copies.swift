package import IngestCommit
package import IngestSupport
package import Lanes
internal import Logging
internal import Models
package import ServiceKit
internal import Storage
internal import SubjectRights

/// Ingest's copies of other services' state, in a file of their own: `ingest/copies.sqlite`, which the loop's thread alone
/// writes, so that the commits of phones wait for nothing here.
package struct Copies: Sendable {
    /// The condition of readiness that is told when copies cannot be kept.
    static let condition = "copies"

    package let reader: CopiesReader
    private let host: ServiceHost
    private let database: ServiceDatabase
    private let client: LaneClient
    private let loop: EffectLoop
    private let clean: CopiesDone<String>
    private let retained: CopiesDone<RetentionOutcome>

    /// - Parameters:
    ///   - commits: where the commit thread is told of what an erasure has done here.
    ///   - orders: told what doors are to do.
    ///   - questions: told what devices may be asked about; nil where there is no notifier.
    package init(
        _ configuration: IngestConfiguration, _ host: ServiceHost, sockets: LaneSockets, metrics: IngestMetrics,
        commits: WriterRequests<IngestEngine>, keys: ErasureKeys, orders: DeviceOrders,
        questions: AlarmQuestions?
    ) throws {
        let common = configuration.common
        let database = try ServiceDatabase(
            path: host.home.directory(of: .ingest) + "/copies.sqlite", migrations: CopiesSchema.migrations)
        let logger = host.logger
        let effects = CopiesEffects(timeZone: common.timeZone) { kind, key in
            metrics.unreadable.add()
            logger.warning("record left out, it cannot be read", metadata: ["kind": "\(kind.name)", "key": "\(key)"])
        }
        effects.orders = orders
        effects.questions = questions
        // The commit thread may not have heard of these before the last end.
        clean = CopiesDone(commits, host, try database.read { try ErasureExecutor.done($0) }) {
            try $0.copiesAreClean(of: $1)
        }
        retained = CopiesDone(commits, host, try database.read { try RetentionExecutor.done($0) }) { try $0.retain($1) }
        let engine = try EffectEngine(
            database: database, reads: CopiesEffects.subscriptions(hasNotifier: questions != nil), journals: [],
            effects: SubjectRightsEffects(
                effects, effects.subjects, database: database, journals: [], key: keys.receipts,
                told: SubjectRightsEffects.Told(
                    erased: { [clean] in clean.add($0.map(\.request)) }, retired: { [retained] in retained.add($0) })))
        client = try sockets.client(of: engine)
        loop = EffectLoop(
            engine: engine, source: client, publisher: nil,
            options: EffectLoopOptions(
                name: "ingest-copies", gather: configuration.copiesGather, niceness: 10,
                onStep: { [clean, retained] _, _ in
                    clean.tell()
                    retained.tell()
                },
                observer: CopiesObserver(metrics.lanes, host.readiness, client),
                onDiskFull: { [readiness = host.readiness] in readiness.fail(Self.condition, "\($0)") }),
            clock: host.clock.now)
        reader = CopiesReader(reader: try database.reader(), timeZone: common.timeZone)
        self.host = host
        self.database = database
    }

    /// Begins to read. If the disk fails, the service ends; whatever else fails ends the copies only, and is told.
    package func start() throws {
        try client.start()
        clean.tell()
        retained.tell()
        loop.start { [host] failure in
            guard let failure else { return }
            if failure is StorageError { return host.stop.fail(failure) }
            host.logger.error("copies of other services' state are no longer kept", metadata: ["error": "\(failure)"])
            host.readiness.fail(Self.condition, "not kept since: \(failure)")
        }
    }

    /// Ends reading, after the step that is under way.
    package func stop() { loop.stop() }

    /// To be called last, when nobody reads any more.
    package func close() throws { try database.close() }
}
