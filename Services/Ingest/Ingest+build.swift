internal import Foundation
internal import IngestAPI
internal import IngestCommands
internal import IngestCommit
internal import IngestEdge
internal import IngestPanels
public import IngestSupport
internal import IngestUploads
internal import Lanes
internal import Logging
public import Models
internal import NIOCore
internal import QoE
public import ServiceKit
internal import Storage

/// Puts ingest together: home and settings in, a service that can run out. Tests call it with a host of their own.
///
/// - Parameter programmes: whose records are taken.
/// - Throws: what cannot be opened, with its path: database, keys, a newer home.
@Sendable
public func buildIngest(
    _ configuration: IngestConfiguration, _ host: ServiceHost, _ programmes: Programmes
) throws -> IngestService {
    let database = try openDatabase(configuration, host)
    try host.home.settle(database, also: IngestEngine.takeIn)
    let journals = try openJournals(configuration, host, database)
    let keys = try ErasureKeys(KeyStore(directory: host.home.keys))
    let engine = try IngestEngine(
        database: database, realtime: journals[.realtime]!, batch: journals[.batch]!,
        requests: journals[.requests]!, keys: keys,
        urgent: UrgentQuota(perMinute: configuration.limits.urgentPerMinute), now: host.clock.now())
    try engine.takeOrdersSince(
        in: host.home, deadline: configuration.erasureDeadline, now: host.clock.now(), host.logger)
    let sockets = try LaneSockets(
        host, configuration.common, name: "ingest", isPrompt: true, journals: Array(journals.values),
        database: database,
        isOrigin: true, clock: host.clock)
    let queue = CommitQueue(configuration, host.metrics, urgentCame: database.breakCheckpoint)
    let budget = BodyBudget(configuration, host.metrics)
    let metrics = IngestMetrics(host.metrics, programmes)
    let load = LoadGauge(queueRows: configuration.queueRows, directory: host.home.path)
    let admission = Admission(
        configuration.limits.admission, uploadRows: configuration.uploadRows, pace: configuration.limits.pace,
        load: load,
        clock: host.clock, seed: .random(in: .min ... .max))
    let commits = CommitThread(
        engine: engine, queue: queue, linger: configuration.linger, clock: host.clock, metrics: metrics,
        lanes: sockets.server,
        failures: admission.failures, load: load, logger: host.logger,
        failure: { host.stop.fail($0) })
    let doorOrders = OutcomeCounters<DeviceOrders.Outcome>(
        host.metrics, "nkul_ingest_door_orders_total", "Orders to doors, by what became of them")
    let orders = DeviceOrders { doorOrders.count($0) }
    let copies = try Copies(
        configuration, host, sockets: sockets, metrics: metrics, commits: commits.requests, keys: keys, orders: orders,
        questions: try questions(configuration, host, database, queue))
    let directory = try DeviceDirectory(configuration, database, host.metrics, keys.suppression)
    let calls = IngestCalls(
        requests: commits.requests, register: DeviceRegister(reader: try database.reader()), directory: directory,
        copies: copies.reader, queue: queue, erasureDeadline: configuration.erasureDeadline, clock: host.clock,
        dataContact: configuration.dataContact)
    host.control.offer(FailureCalls(reader: try database.reader()).all)
    host.control.offer(
        calls.all + ActivationCalls(requests: commits.requests, clock: host.clock).all
            + KeyedDeviceCalls(queue: queue).all)
    let resources = Bundle.module.resourcePath ?? "."
    let app = WebApp(directory: resources + "/WebApp")
    if !app.isComplete {
        host.logger.warning("the subscribers' app is not there", metadata: ["directory": "\(resources)/WebApp"])
    }
    let api = try DeviceAPI(
        programmes, directory: directory, copies: copies.reader,
        reader: UploadReader(
            programmes, rowLimit: configuration.uploadRows, inflatedLimit: configuration.inflatedBytes,
            depthLimit: configuration.limits.jsonDepth, memberLimit: configuration.limits.jsonMembers,
            geosubmitLimit: configuration.geosubmitBytes),
        queue: queue, clock: host.clock, metrics: metrics, logger: host.logger, admission: admission,
        erasureDeadline: configuration.erasureDeadline, downloads: Downloads(host.metrics),
        dataContact: configuration.dataContact, activation: configuration.activation,
        operators: configuration.operators, app: app,
        policyText: try PolicyText(directory: configuration.policy ?? resources + "/WebApp/policy"),
        sampling: try configuration.sampling.map(SamplingFile.read) ?? .builtIn,
        passkeyOrigin: configuration.passkeys, challenges: PasskeyChallenges(host.metrics),
        hasNotifier: configuration.hasNotifier, pushAddresses: configuration.pushAddresses, orders: orders)
    var limits = configuration.limits.edge
    limits.uploadBytes = configuration.bodyBytes
    warnOfFewFiles(limits, at: configuration.http, host)
    let certificates = try TLSCertificates.named(configuration.common.tls, host: host)
    let http = EdgeServer(
        Edge(
            api: api, limits: limits, budget: budget, certificates: certificates, origins: configuration.origins,
            speedTests: SpeedTestBudget(configuration.limits.speedTests, host.metrics),
            echoes: EchoPlaces(configuration.limits.speedTests, host.metrics)),
        at: configuration.http, host: host)
    let panelMessages = OutcomeCounters<PanelReceiver.Outcome>(
        host.metrics, "nkul_ingest_panel_messages_total", "Messages of alarm panels, by what became of them")
    let receiver = PanelReceiver(
        panels: PanelDirectory(copies.reader),
        keys: try configuration.panelKeys.map { try PanelKeys(file: $0) } ?? .none, directory: directory,
        reader: UploadReader(programmes, rowLimit: 100), queue: queue, clock: host.clock,
        logger: host.logger, counted: { panelMessages.count($0) })
    host.readiness.declare("lanes", problem: "the lanes are not bound yet")
    return IngestService(
        host: host, http: http, panels: configuration.panels.map { PanelServer(receiver, at: $0, host: host) },
        datagrams: configuration.panelDatagrams.map { PanelDatagrams(receiver, at: $0, host: host) }, sockets: sockets,
        commits: commits, copies: copies)
}

/// Who asks subscribers by Web Push; nil where there is no notifier.
private func questions(
    _ configuration: IngestConfiguration, _ host: ServiceHost, _ database: ServiceDatabase, _ queue: CommitQueue
) throws -> AlarmQuestions? {
    let counters = OutcomeCounters<QuestionOutcome>(
        host.metrics, "nkul_ingest_questions_total", "Questions by Web Push, by what became of them")
    guard configuration.hasNotifier else { return nil }
    return AlarmQuestions(
        reader: try database.reader(), queue: queue, perMinute: configuration.pushPerMinute
    ) { counters.count($0, $1) }
}

/// Files that ingest has open besides its connections, at most.
private let otherFiles = 200

/// Where phones come from outside: on loopback, as on a machine for trying things, nobody has so many connections.
private func warnOfFewFiles(_ limits: EdgeLimits, at address: HostPort, _ host: ServiceHost) {
    let most = OpenFiles.most
    guard !address.isLoopback, most < limits.connections + otherFiles else { return }
    host.logger.warning(
        "the system allows fewer open files than NKUL_INGEST_CONNECTIONS needs: raise the hard limit (ulimit -Hn)",
        metadata: ["files": "\(most)", "connections": "\(limits.connections)"])
}

/// What ingest keeps on disk for the day when the disk is full.
private let ballastBytes = 64 << 20

/// Half of SQLite's usual: a block of a single upload has 2 to 3 KB, and would leave the rest of a page empty.
private let pageBytes = 2_048

/// The steps in which its file grows.
private let growthBytes = 16 << 20

private func openDatabase(_ configuration: IngestConfiguration, _ host: ServiceHost) throws -> ServiceDatabase {
    try ServiceDatabase(
        path: host.home.database(of: .ingest), migrations: IngestSchema.migrations,
        options: DatabaseOptions(
            pageBytes: pageBytes, checkpointPages: 512, defersCheckpoints: true, longestLogPages: 16_384,
            growthBytes: growthBytes, ballastBytes: ballastBytes))
}

/// Services for which blocks are kept, whether they have ever been started or not.
private func requiredReaders(of lane: LaneName) -> [ServiceName] {
    switch lane {
    case .realtime: [.alertRouter, .batchAggregator, .analyticsExporter]
    case .batch: [.batchAggregator, .analyticsExporter]
    case .requests: [.privacyWorker]
    default: []
    }
}

/// The lanes that ingest writes.
private func openJournals(
    _ configuration: IngestConfiguration, _ host: ServiceHost, _ database: ServiceDatabase
) throws -> [LaneName: Journal] {
    let sealer =
        configuration.common.encryptBlocks
        ? try KeyStore(directory: host.home.keys).blockSealer(service: ServiceName.ingest.rawValue) : nil
    var journals: [LaneName: Journal] = [:]
    for lane in [LaneName.realtime, .batch, .requests] {
        journals[lane] = try Journal(
            lane: lane, in: database, limits: LaneLimits(maximumBytes: configuration.common.journalBytes(of: lane)),
            readers: requiredReaders(of: lane).map { ReaderRegistration(name: $0.rawValue) }, sealer: sealer)
    }
    return journals
}
