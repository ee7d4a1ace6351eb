internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import ZeroMQ

/// Wires the router's effects to the lanes it reads and writes and to its endpoint.
struct AlertRouterParts {
    private let configuration: AlertRouterConfiguration
    private let host: ServiceHost
    private let database: ServiceDatabase
    private let journal: Journal
    private let sockets: SocketThread
    private let endpoint: SocketConfined<AlertEndpoint>

    init(
        _ configuration: AlertRouterConfiguration, _ host: ServiceHost, _ database: ServiceDatabase, _ journal: Journal,
        _ sockets: SocketThread, _ endpoint: SocketConfined<AlertEndpoint>
    ) {
        self.configuration = configuration
        self.host = host
        self.database = database
        self.journal = journal
        self.sockets = sockets
        self.endpoint = endpoint
    }

    func service() throws -> AlertRouterService {
        let subscriptions = [LaneSubscription(lane: .realtime, kinds: [.report, .feedback])]
        let engine = try EffectEngine(
            database: database, reads: subscriptions, journals: [journal], effects: try effects())
        let server = try LaneServer(
            journals: [journal], endpoints: endpoints([.alerts]), database: database, sockets: sockets, log: host.logger
        )
        var cursors: [LaneName: Position] = [:]
        cursors[.realtime] = engine.cursor(.realtime)
        let client = try LaneClient(
            reader: ServiceName.alertRouter.rawValue, subscriptions: subscriptions, endpoints: endpoints([.realtime]),
            cursors: cursors, sockets: sockets, log: host.logger)
        let effectLoop = EffectLoop(
            engine: engine, source: client, publisher: server, options: options(client), clock: host.clock.now)
        host.readiness.declare("realtime")
        try server.start(niceness: 0)
        return AlertRouterService(host: host, sockets: sockets, server: server, client: client, effects: effectLoop)
    }

    private func endpoints(_ lanes: [LaneName]) -> [LaneName: LaneEndpoint] {
        Dictionary(
            uniqueKeysWithValues: lanes.map { ($0, LaneEndpoint(address: configuration.common.endpoint(of: $0))) })
    }

    private func effects() throws -> AlertRouterEffects {
        let published = host.metrics.counter("nkul_alert_messages_total", "Messages published on alert endpoints.")
        return try AlertRouterEffects(
            database: database, updateInterval: Int64(configuration.updateInterval / .milliseconds(1)),
            keepMilliseconds: Int64(configuration.keepHours) * 3_600_000,
            mostMessages: Int64(configuration.keepMessages)
        ) { [sockets, endpoint] messages in
            published.add(messages.count)
            sockets.enqueue { loop in endpoint.on(loop).publish(messages) }
        }
    }

    private func options(_ client: LaneClient) -> EffectLoopOptions {
        let rows = host.metrics.counter("nkul_alert_rows_total", "Urgent rows read.")
        let steps = host.metrics.latency(
            "nkul_alert_step_seconds", "From blocks in hand to alarms committed and published.")
        let readiness = host.readiness
        return EffectLoopOptions(
            name: "router-effects", gather: .none, niceness: 0,
            onStep: { outcome, took in
                rows.add(outcome.appliedRows)
                steps.observe(took)
            },
            onMaintenance: { _ in
                for (lane, status) in client.statuses {
                    if status.isSound {
                        readiness.hold(lane.rawValue)
                    } else {
                        readiness.fail(lane.rawValue, status.sentence(lane))
                    }
                }
            })
    }
}
