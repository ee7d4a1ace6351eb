internal import Lanes
internal import Models
public import ServiceKit
internal import Storage
internal import ZeroMQ

/// The composition root of the privacy worker: opens its database and keys, wires its effects to the lanes.
///
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError` or `LaneError` naming what cannot be used, and where.
@Sendable
public func buildPrivacyWorker(
    _ configuration: PrivacyWorkerConfiguration, _ host: ServiceHost
) throws -> PrivacyWorkerService {
    let common = configuration.common
    let store = try KeyStore(directory: host.home.keys)
    let blockSealer = try store.blockSealer(service: ServiceName.privacyWorker.rawValue)
    let keys = try AuditKeys(store)
    let database = try ServiceDatabase(
        path: host.home.database(of: .privacyWorker), migrations: PrivacyWorkerEffects.migrations)
    let journal = try Journal(
        lane: .privacy, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .privacy)),
        sealer: common.encryptBlocks ? blockSealer : nil)
    let subscriptions = [LaneSubscription(lane: .requests, kinds: [.consent])]
    let engine = try EffectEngine(
        database: database, reads: subscriptions, journals: [journal],
        effects: PrivacyWorkerEffects(database: database, keys: keys))
    let context = try Context()
    let sockets = SocketThread(name: "privacy-sockets", context: context)
    let laneKeys = LaneKeys(directory: common.laneKeys)
    let server = try LaneServer(
        journals: [journal], endpoints: try laneKeys.serving([.privacy], at: common.laneEndpoints), database: database,
        sockets: sockets, log: host.logger)
    var cursors: [LaneName: Position] = [:]
    cursors[.requests] = engine.cursor(.requests)
    let client = try LaneClient(
        reader: ServiceName.privacyWorker.rawValue, subscriptions: subscriptions,
        endpoints: try laneKeys.reading([.requests], at: common.laneEndpoints), cursors: cursors, sockets: sockets,
        log: host.logger)
    let loop = EffectLoop(
        engine: engine, source: client, publisher: server, options: host.loopOptions(client), clock: host.clock.now)
    let reader = try database.reader()
    host.control.offer([
        .typed("reader.list", JSONValue.self) { _ in try await loop.perform { $0.readerStandings } },
        .typed("reader.detach", ReaderDetachment.self) { wish in try await loop.perform { try $0.detach(wish) } },
        .typed("audit.verify", JSONValue.self) { _ in
            AuditReport(try await AuditCheck.runApart(reader, keys: keys, sealer: blockSealer))
        },
    ])
    return PrivacyWorkerService(
        host: host, context: context, sockets: sockets, server: server, client: client, loop: loop)
}

extension ServiceHost {
    fileprivate func loopOptions(_ client: LaneClient) -> EffectLoopOptions {
        readiness.declare("requests")
        let records = metrics.counter("nkul_privacy_consents_total", "Consents written into the ledger.")
        return EffectLoopOptions(
            name: "privacy", niceness: 10, onStep: { outcome, _ in records.add(outcome.appliedRows) },
            onMaintenance: { [readiness] _ in
                for (lane, status) in client.statuses {
                    if status.isSound {
                        readiness.hold(lane.rawValue)
                    } else {
                        readiness.fail(lane.rawValue, status.sentence(lane))
                    }
                }
            },
            observer: LaneMetrics(metrics))
    }
}
