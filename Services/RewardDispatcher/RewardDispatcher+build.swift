internal import Lanes
internal import Models
public import ServiceKit
internal import Storage
internal import ZeroMQ

/// The composition root of the reward dispatcher: opens its books and the provider's, wires its effects to its lanes.
///
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError`, `LaneError`, ``LedgerError`` naming what cannot be used.
@Sendable
public func buildRewardDispatcher(
    _ configuration: RewardDispatcherConfiguration, _ host: ServiceHost
) throws -> RewardDispatcherService {
    let common = configuration.common
    let database = try ServiceDatabase(
        path: host.home.database(of: .rewardDispatcher), migrations: RewardDispatcherEffects.migrations)
    let journal = try Journal(
        lane: .rewards, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .rewards)),
        sealer: common.encryptBlocks
            ? try KeyStore(directory: host.home.keys).blockSealer(service: ServiceName.rewardDispatcher.rawValue) : nil)
    let provider = try sandbox(configuration, host)
    let outlet = CallOutlet()
    let figures = RewardDispatcherFigures(host.metrics, host.logger)
    let effects = try RewardDispatcherEffects(
        database: database, settings: configuration.rewards, report: figures.show, carryOut: outlet.carryOut)
    let subscriptions = RewardDispatcherEffects.subscriptions
    let engine = try EffectEngine(database: database, reads: subscriptions, journals: [journal], effects: effects)
    let context = try Context()
    let sockets = SocketThread(name: "reward-sockets", context: context, onFailure: { host.stop.fail($0) })
    let keys = LaneKeys(directory: common.laneKeys)
    let server = try LaneServer(
        journals: [journal], endpoints: try keys.serving([.rewards], at: common.laneEndpoints), database: database,
        sockets: sockets, log: host.logger)
    let lanes = subscriptions.map(\.lane)
    let cursors = lanes.compactMap { lane in engine.cursor(lane).map { (lane, $0) } }
    let client = try LaneClient(
        reader: ServiceName.rewardDispatcher.rawValue, subscriptions: subscriptions,
        endpoints: try keys.reading(lanes, at: common.laneEndpoints),
        cursors: Dictionary(uniqueKeysWithValues: cursors), sockets: sockets, log: host.logger)
    let desk = ProviderDesk(provider, timeout: configuration.callTimeout) { [answers = effects.answers] call, answer in
        answers.add(answer, to: call)
        client.wake()
    }
    outlet.open(desk)
    for lane in lanes { host.readiness.declare("lane \(lane.rawValue)") }
    let readiness = host.readiness
    let loop = EffectLoop(
        engine: engine, source: client, publisher: server,
        options: EffectLoopOptions(
            name: "rewards", gather: GatherWindow(minimum: configuration.gather), niceness: 10,
            onMaintenance: { _ in readiness.show(client.statuses) }, observer: LaneMetrics(host.metrics)),
        clock: host.clock.now)
    host.control.offer(ControlCall.readers(of: loop))
    return RewardDispatcherService(
        host: host, context: context, sockets: sockets, server: server, client: client, loop: loop, desk: desk)
}

private func sandbox(_ configuration: RewardDispatcherConfiguration, _ host: ServiceHost) throws -> SandboxProvider {
    SandboxProvider(
        try SandboxScript(file: configuration.sandbox),
        database: try ServiceDatabase(
            path: host.home.directory(of: .rewardDispatcher) + "/sandbox.sqlite", migrations: SandboxProvider.migrations
        ))
}

/// Where the effects put calls before the desk that takes them is made, because the desk needs to know where its answers go.
private final class CallOutlet {
    private var desk: ProviderDesk?

    func open(_ desk: ProviderDesk) { self.desk = desk }

    func carryOut(_ calls: [ProviderCall]) { desk?.carryOut(calls) }
}

extension Readiness {
    fileprivate func show(_ statuses: [LaneName: LaneStatus]) {
        for (lane, status) in statuses {
            let name = "lane \(lane.rawValue)"
            if status.isSound { hold(name) } else { fail(name, status.sentence(lane)) }
        }
    }
}
