internal import Lanes
internal import Models
public import ServiceKit
public import ServiceLifecycle
internal import Storage
internal import ZeroMQ

/// Wires the exporter: opens its folder, its keys and its lanes; nothing runs before ``ExporterService/run()``.
///
/// - Throws: `StorageError` or `ServiceError` naming the path or setting at fault.
public func build(_ configuration: AnalyticsExporterConfiguration, _ host: ServiceHost) throws -> any Service {
    let keys = try KeyStore(directory: host.home.keys)
    let sealer =
        configuration.common.encryptBlocks ? try keys.blockSealer(service: ServiceName.analyticsExporter.rawValue) : nil
    let folder = try ExporterFolder(directory: host.home.directory(of: .analyticsExporter), sealer: sealer)
    let bell = AlarmBell()
    let figures = ExporterMetrics(host.metrics, bell: bell)
    let effects = try ExporterEffects(database: folder.database, files: folder.files) { totals, alarmsChanged in
        figures.show(totals)
        if alarmsChanged { bell.ring() }
    }
    figures.show(effects.figures)
    let engine = try EffectEngine(
        database: folder.database, reads: AnalyticsExporterConfiguration.subscriptions, journals: [], effects: effects)
    let api = try ExporterAPI.build(
        configuration, folder: folder, keys: keys, bell: bell, metrics: host.metrics, clock: host.clock,
        logger: host.logger)
    let context = try Context()
    let sockets = SocketThread(name: "sockets", context: context)
    let client = try LaneClient(
        reader: ServiceName.analyticsExporter.rawValue, subscriptions: engine.subscriptions,
        endpoints: configuration.laneEndpoints, cursors: engine.cursors, sockets: sockets, log: host.logger)
    let clock = host.clock
    let loop = EffectLoop(
        engine: engine, source: client, publisher: nil,
        options: EffectLoopOptions(
            gather: GatherWindow(minimum: configuration.gather), niceness: 10,
            onStep: { figures.show(step: $0, took: $1) }),
        clock: { clock.now() })
    return ExporterService(
        host: host, context: context, sockets: sockets, client: client, loop: loop, bell: bell,
        server: HTTPServer("mno_api", at: configuration.http, key: "NKUL_EXPORTER_HTTP", responder: api, host: host))
}

extension AnalyticsExporterConfiguration {
    fileprivate var laneEndpoints: [LaneName: LaneEndpoint] {
        Dictionary(
            uniqueKeysWithValues: Self.subscriptions.map {
                ($0.lane, LaneEndpoint(address: common.endpoint(of: $0.lane)))
            })
    }
}

extension EffectEngine {
    fileprivate var cursors: [LaneName: Position] {
        Dictionary(uniqueKeysWithValues: subscriptions.compactMap { lane in cursor(lane.lane).map { (lane.lane, $0) } })
    }
}
