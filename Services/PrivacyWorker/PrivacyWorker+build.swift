internal import Lanes
internal import Models
public import ServiceKit
internal import Storage

/// The composition root of the privacy worker: opens its database and keys, wires its effects to the lanes.
///
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError` or `LaneError` naming what cannot be used, and where; an error that says what to
///   do if the audit log does not end as it was signed.
@Sendable
public func buildPrivacyWorker(
    _ configuration: PrivacyWorkerConfiguration, _ host: ServiceHost
) throws -> PrivacyWorkerService {
    let common = configuration.common
    let database = try ServiceDatabase(
        path: host.home.database(of: .privacyWorker), migrations: PrivacyWorkerEffects.migrations)
    try host.home.settle(database, also: PrivacyWorkerEffects.takeIn)
    let keys = try PrivacyWorkerKeys(
        KeyStore(directory: host.home.keys), isBegun: database.read { try AuditLog($0).isBegun() })
    let journal = try Journal(
        lane: .privacy, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .privacy)),
        sealer: common.encryptBlocks ? keys.blocks : nil)
    let records = host.metrics.counter("nkul_privacy_consents_total", "Consents written into the ledger.")
    let erasures = try ErasureFigures(host, reader: database.reader())
    let retention = RetentionGauges(host, reader: try database.reader()), runRequests = RetentionRunRequests()
    let access = try AccessFigures(host, reader: database.reader())
    let engine = try EffectEngine(
        database: database, reads: PrivacyWorkerEffects.subscriptions(hasNotifier: configuration.hasNotifier),
        journals: [journal],
        effects: PrivacyWorkerEffects(
            database: database, journal: journal, keys: keys.audit, receiptKey: keys.receipts,
            kept: { records.add($0) }, late: erasures.late, refused: erasures.refused,
            retention: configuration.retention, runRequests: runRequests, told: retention.told,
            hasNotifier: configuration.hasNotifier))
    let threads = try LaneThreads(
        host, common, engine, clock: host.clock,
        EffectLoopOptions(
            name: "privacy", niceness: 10,
            onMaintenance: { _ in
                erasures.look()
                retention.look()
                access.look()
            }))
    runRequests.wake(by: threads.loop.wake)
    let reader = try database.reader()
    host.control.offer([
        .typed("audit.verify", JSONValue.self) { _ in
            AuditReport(try await AuditCheck.runApart(reader, keys: keys.audit, sealer: keys.blocks))
        }
    ])
    host.control.offer(AuditCalls(reader: reader).all)
    host.control.offer(ErasureCalls(reader: reader, clock: host.clock).all)
    host.control.offer(
        RetentionCalls(policy: configuration.retention, reader: reader, runRequests: runRequests, clock: host.clock).all
    )
    host.control.offer(AccessCalls(reader: reader, clock: host.clock).all)
    return PrivacyWorkerService(host: host, threads: threads)
}
