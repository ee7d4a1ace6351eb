internal import Lanes
internal import Models
public import ServiceKit
internal import ZeroMQ

/// The composition root of the aggregator: opens its folder and wires its effects to the lanes it reads and writes.
///
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError` or `LaneError` naming what cannot be used, and where.
@Sendable
public func buildBatchAggregator(
    _ configuration: BatchAggregatorConfiguration, _ host: ServiceHost
) throws -> BatchAggregatorService {
    let figures = AggregatorFigures(host.metrics)
    let folder = try AggregatorFolder(configuration, host, figures: figures)
    let context = try Context()
    let sockets = SocketThread(name: "aggregator-sockets", context: context)
    let addresses = configuration.common.laneEndpoints
    let laneKeys = LaneKeys(directory: configuration.common.laneKeys)
    let server = try LaneServer(
        journals: [folder.journal], endpoints: try laneKeys.serving([.rollups], at: addresses),
        database: folder.database, sockets: sockets, log: host.logger)
    let lanes = AggregatorFolder.subscriptions.map(\.lane)
    let cursors = lanes.compactMap { lane in folder.engine.cursor(lane).map { (lane, $0) } }
    let client = try LaneClient(
        reader: ServiceName.batchAggregator.rawValue, subscriptions: AggregatorFolder.subscriptions,
        endpoints: try laneKeys.reading(lanes, at: addresses), cursors: Dictionary(uniqueKeysWithValues: cursors),
        sockets: sockets, log: host.logger)
    for lane in lanes { host.readiness.declare("lane \(lane.rawValue)") }
    let readiness = host.readiness
    let loop = EffectLoop(
        engine: folder.engine, source: client, publisher: server,
        options: EffectLoopOptions(
            name: "aggregator", gather: GatherWindow(minimum: configuration.gather), niceness: 10,
            onStep: { outcome, _ in figures.show(step: outcome) },
            onMaintenance: { _ in readiness.show(client.statuses) }, observer: LaneMetrics(host.metrics)),
        clock: host.clock.now)
    host.control.offer(ControlCall.readers(of: loop))
    return BatchAggregatorService(
        host: host, context: context, sockets: sockets, server: server, client: client, loop: loop)
}

extension Readiness {
    fileprivate func show(_ statuses: [LaneName: LaneStatus]) {
        for (lane, status) in statuses {
            let name = "lane \(lane.rawValue)"
            if status.isSound { hold(name) } else { fail(name, status.sentence(lane)) }
        }
    }
}
