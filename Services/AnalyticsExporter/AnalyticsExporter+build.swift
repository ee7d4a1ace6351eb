internal import ExporterAPI
internal import ExporterOperations
internal import ExporterRows
internal import ExporterStores
internal import ExporterSupport
internal import Lanes
public import Models
public import ServiceKit
public import ServiceLifecycle
internal import Storage
internal import SubjectRights

/// Wires the exporter: opens its folder, its keys and its lanes; nothing runs before ``ExporterService/run()``.
///
/// - Throws: `StorageError` or `ServiceError` naming the path or setting at fault.
/// - Parameter programmes: whose records are shown.
public func build(
    _ configuration: AnalyticsExporterConfiguration, _ host: ServiceHost, _ programmes: Programmes
) throws -> any Service {
    let keys = try KeyStore(directory: host.home.keys)
    let sealer =
        configuration.common.encryptBlocks ? try keys.blockSealer(service: ServiceName.analyticsExporter.rawValue) : nil
    let folder = try ExporterFolder(
        programmes, directory: host.home.directory(of: .analyticsExporter), sealer: sealer,
        restoration: try host.home.restoration())
    let alarmChanges = ChangeBroadcast(), decided = ChangeBroadcast()
    let freshness = Freshness()
    let figures = ExporterMetrics(host.metrics, alarmChanges: alarmChanges, freshness: freshness)
    let secrets = try ExporterKeys(keys)
    let messenger = Messenger()
    let changes = try ChangeQueue(folder.database, builtIn: secrets.token, tell: messenger.tell)
    let zone = try configuration.zone
    guard let exports = folder.exports else { preconditionFailure("a folder on disk has exports") }
    let effects = try ExporterEffects(
        database: folder.database, files: folder.files, exports: exports, changes: changes, zone: zone,
        pseudonymKey: secrets.pseudonyms, freshness: freshness, decided: decided
    ) { totals, alarmsChanged in
        figures.show(totals)
        if alarmsChanged { messenger.tell(alarmChanges.send) }
    }
    figures.show(effects.figures)
    let operations = try Journal(
        lane: .operations, in: folder.database,
        limits: LaneLimits(maximumBytes: configuration.common.journalBytes(of: .operations)), sealer: sealer)
    let engine = try EffectEngine(
        database: folder.database,
        reads: AnalyticsExporterConfiguration.subscriptions(
            programmes, hasNotifier: configuration.hasNotifier),
        journals: [operations],
        effects: SubjectRightsEffects(
            effects, effects.subjects(in: folder.database), database: folder.database, journals: [operations],
            key: ReceiptKey(keys, service: ServiceName.analyticsExporter.rawValue)))
    let api = try ExporterAPI.build(
        configuration, folder: folder, exports: exports, secrets: secrets, changes: changes, alarmChanges: alarmChanges,
        decided: decided,
        freshness: freshness, metrics: host.metrics,
        clock: host.clock, systemClock: host.systemClock, logger: host.logger)
    let exportThread = ExportThread(
        ExportJobs(
            exports, rows: folder.files.opener, state: try folder.database.reader(), pseudonymKey: secrets.pseudonyms,
            days: configuration.exportDays,
            statistics: (StatisticsFile(programmes, zone: zone), zone)), changes: changes, clock: host.clock,
        systemClock: host.systemClock, metrics: ExportMetrics(host.metrics), logger: host.logger)
    let monthThread = MonthThread(
        MonthMaker(programmes, effects.months, state: try folder.database.reader(), changes: changes),
        freshness: freshness, metrics: host.metrics, logger: host.logger)
    let threads = try LaneThreads(
        host, configuration.common, engine, clock: host.clock,
        EffectLoopOptions(
            name: "exporter", gather: configuration.gather, niceness: 10, idleClass: messenger,
            onStep: { outcome, _ in figures.show(step: outcome) }))
    freshness.watch { [weak loop = threads.loop] in
        guard let loop else { return [:] }
        let statuses = loop.statuses
        return loop.inboxes.reduce(into: [:]) {
            $0[$1.key] = (statuses[$1.key] ?? .waiting, $1.value)
        }
    }
    changes.wake(by: threads.loop.wake)
    host.control.offer(
        TenantCalls(changes: changes, logger: host.logger).all + ContactCalls(changes: changes, logger: host.logger).all
            + DocumentCalls(
                changes: changes, rules: api.services.managed.rules, programmes: programmes, clock: host.clock,
                logger: host.logger
            ).all
            + AlarmCalls(changes: changes, commands: api.services.commands).all
            + ChannelCalls(channels: api.services.managed.channels).all
            + OnCallCalls(service: api.services.onCall).all
            + SiteCalls(documents: api.services.sites.documents).all
            + PromptPolicyCalls(service: api.services.promptPolicy).all)
    return ExporterService(
        host: host, threads: threads, changes: changes, exportThread: exportThread, monthThread: monthThread,
        alarmChanges: alarmChanges, decided: decided,
        server: HTTPServer(
            "mno_api", at: configuration.http, key: "NKUL_EXPORTER_HTTP", responder: api,
            certificates: try TLSCertificates.named(configuration.common.tls, host: host), host: host))
}
