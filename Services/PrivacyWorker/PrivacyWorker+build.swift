internal import Lanes
internal import Models
public import ServiceKit
internal import Storage

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
    let engine = try EffectEngine(
        database: database, reads: PrivacyWorkerEffects.subscriptions, journals: [journal],
        effects: PrivacyWorkerEffects(database: database, keys: keys))
    let records = host.metrics.counter("nkul_privacy_consents_total", "Consents written into the ledger.")
    let threads = try LaneThreads(
        host, common, engine, clock: host.clock,
        EffectLoopOptions(name: "privacy", niceness: 10, onStep: { outcome, _ in records.add(outcome.appliedRows) }))
    let reader = try database.reader()
    host.control.offer([
        .typed("audit.verify", JSONValue.self) { _ in
            AuditReport(try await AuditCheck.runApart(reader, keys: keys, sealer: blockSealer))
        }
    ])
    return PrivacyWorkerService(host: host, threads: threads)
}
