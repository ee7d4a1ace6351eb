internal import Foundation
public import GRDB
public import Lanes
public import Models
public import Storage
package import SubjectRights
internal import Wire

/// What the privacy worker does with a block, in the transaction that moves its cursor: the ledger of consents, erasure
/// orders and who has signed them, the audit log, and what everybody who reads the privacy lane must know of it.
///
/// Confined to the thread of its engine.
public final class PrivacyWorkerEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the privacy worker's database.
    public static let migrations: [Migration] = PrivacyWorkerStore.migrations
    /// What the worker reads: subscribers' requests, and on every other lane its writer's receipts and parts of answers.
    ///
    /// - Parameter hasNotifier: whether a notifier runs.
    public static func subscriptions(hasNotifier: Bool = false) -> [LaneSubscription] {
        [
            LaneSubscription(
                lane: .requests,
                kinds: [
                    .consent, .erasureRequest, .erasureReceipt, .verificationKey, .retentionReport, .accessRequest,
                ])
        ]
            + [LaneName.alerts, .rollups, .rewards, .operations].map {
                LaneSubscription(
                    lane: $0,
                    kinds: [.erasureReceipt, .verificationKey, .accessPart, .retentionReport]
                        + Self.acts(on: $0),
                    isRequired: $0 != .rewards,
                    window: Credit(blocks: 128, bytes: 1 << 20))
            }
            + (hasNotifier
                ? [
                    LaneSubscription(
                        lane: .deliveries, kinds: [.erasureReceipt, .verificationKey, .retentionReport],
                        isRequired: false)
                ] : [])
    }

    /// What goes into the audit log from a lane.
    private static func acts(on lane: LaneName) -> [RecordKind] {
        switch lane {
        case .alerts: [.alarmTask, .siteTask]
        case .operations: [.contactAct]
        case .rewards: [.rewardDecision]
        default: []
        }
    }

    /// Whose keys are believed on a lane.
    private static let writers: [LaneName: String] = [
        .requests: "ingest", .alerts: "alert-router", .rollups: "batch-aggregator", .rewards: "reward-dispatcher",
        .operations: "analytics-exporter", .deliveries: "notifier",
    ]

    private let keys: AuditKeys
    private let receiptKey: ReceiptKey
    private let executor: ErasureExecutor
    private let erasure: ErasureCoordinator
    private let retention: RetentionCoordinator
    private let access: AccessCoordinator
    private let late: (ErasureOrderDocument) -> Void
    private let kept: (Int) -> Void
    /// Consents of this transaction.
    private var consents = 0
    private var decoder = ColumnDecoder()
    private var isOpened: Bool
    private var isRestored: Bool
    private var nextLate: UnixMilliseconds?

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - journal: of the privacy lane, in the same database.
    ///   - kept: told after a commit how many consents it wrote into the ledger; on the engine's thread.
    ///   - late: told once of each erasure that is not; on the engine's thread.
    ///   - refused: told of receipts that no known key signed; on the engine's thread.
    ///   - retention: what is kept for how long; nil gives no orders.
    ///   - runRequests: runs that operators want.
    ///   - hasNotifier: whether a notifier runs, which signs erasures then.
    /// - Throws: an error that says what to do if the log does not end as it was signed; so does every step.
    package convenience init(
        database: ServiceDatabase, journal: Journal, keys: AuditKeys, receiptKey: ReceiptKey,
        kept: @escaping (Int) -> Void = { _ in },
        late: @escaping (ErasureOrderDocument) -> Void = { _ in },
        refused: @escaping (ErasureReceiptDocument) -> Void = { _ in }, retention: RetentionPolicy? = nil,
        runRequests: RetentionRunRequests = RetentionRunRequests(), hasNotifier: Bool = false
    ) throws {
        try self.init(
            database: database, journal: journal, keys: keys, receiptKey: receiptKey, kept: kept, late: late,
            refused: refused, retention: retention, runRequests: runRequests, told: RetentionCoordinator.Told(),
            hasNotifier: hasNotifier)
    }

    /// - Parameters:
    ///   - runRequests: runs that operators want.
    ///   - told: of retention.
    ///   - hasNotifier: whether a notifier runs, which signs erasures then.
    init(
        database: ServiceDatabase, journal: Journal, keys: AuditKeys, receiptKey: ReceiptKey,
        kept: @escaping (Int) -> Void, late: @escaping (ErasureOrderDocument) -> Void,
        refused: @escaping (ErasureReceiptDocument) -> Void, retention policy: RetentionPolicy?,
        runRequests: RetentionRunRequests, told: RetentionCoordinator.Told, hasNotifier: Bool = false
    ) throws {
        self.keys = keys
        self.receiptKey = receiptKey
        self.late = late
        self.kept = kept
        let executor = try SubjectExecutor(
            Self.subjects(keys, hasNotifier: hasNotifier), database: database, journals: [journal], key: receiptKey)
        self.executor = executor.erasure
        guard let copies = executor.access else { preconditionFailure("the worker declares a copy") }
        access = try AccessCoordinator(database: database, journal: journal, executor: copies)
        erasure = ErasureCoordinator(
            signers: ErasureCoordinator.signers(hasNotifier: hasNotifier), executor: executor.erasure, refused: refused)
        isRestored = try database.read { try RestoreNotes.areWaiting($0) }
        retention = RetentionCoordinator(policy, executor: executor.retention, requests: runRequests, told: told)
        (isOpened, nextLate) = try database.read { db in
            (
                try AuditLog(db).trustedHead(keys) != nil && ErasureOrders(db).key(receiptKey.id) != nil,
                try ErasureOrders(db).nextLate()
            )
        }
    }

    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { try executor.admit(blocks) }

    /// A transaction's blocks, in the hands of the handlers.
    private struct Reading {
        let worker: PrivacyWorkerEffects
        var audit: AuditWriter

        /// Who writes the lane of a block.
        func writer(_ block: ReadBlock) -> String { PrivacyWorkerEffects.writers[block.lane] ?? "" }
    }

    /// What is done with each kind that the worker reads.
    private static let handlers = EffectHandlers<Reading>(
        "privacy-worker",
        [
            .consent: { reading, block, transaction in
                let store = PrivacyWorkerStore(transaction.db)
                for record in try ConsentRecord.records(block.columns) {
                    try reading.worker.keep(record, store, &reading.audit)
                }
            },
            .alarmTask: { reading, block, _ in try AlarmActs.append(block.columns, to: &reading.audit) },
            .contactAct: { reading, block, _ in try ContactActs.append(block.columns, to: &reading.audit) },
            .siteTask: { reading, block, _ in try SiteActs.append(block.columns, to: &reading.audit) },
            .rewardDecision: { reading, block, _ in
                try RewardDecisions.append(block.columns, to: &reading.audit)
            },
            .erasureRequest: { reading, block, transaction in
                try reading.worker.access.withdraw(
                    erasures: block.columns, &reading.audit, transaction.db, now: transaction.now)
                try reading.worker.erasure.take(
                    requests: block.columns, &reading.audit, transaction.db, &transaction.emit)
            },
            .accessRequest: { reading, block, transaction in
                try reading.worker.access.take(
                    requests: block.columns, &reading.audit, transaction.db, now: transaction.now)
            },
            .accessPart: { reading, block, transaction in
                try reading.worker.access.take(
                    parts: block.columns, of: reading.writer(block), &reading.audit, transaction.db, &transaction.emit,
                    now: transaction.now)
            },
            .erasureReceipt: { reading, block, transaction in
                try reading.worker.erasure.take(
                    receipts: block.columns, &reading.audit, transaction.db, &transaction.emit)
            },
            .verificationKey: { reading, block, transaction in
                try reading.worker.erasure.take(
                    keys: block.columns, of: reading.writer(block), &reading.audit, transaction.db, &transaction.emit)
            },
            .retentionReport: { reading, block, transaction in
                try reading.worker.retention.take(
                    reports: block.columns, of: reading.writer(block), &reading.audit, transaction.db)
            },
        ])

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try Self.handlers.require(kind, on: lane) }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        consents = 0
        var reading = Reading(
            worker: self, audit: try AuditWriter(AuditLog(transaction.db), keys, now: transaction.now))
        for block in blocks { try Self.handlers.handle(block, &decoder, with: &reading, in: &transaction) }
        nextLate = try ErasureOrders(transaction.db).nextLate()
        try reading.audit.finish(&transaction.emit)
    }

    /// A log begins with an entry that says so: then an empty one is a log that was emptied.
    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        var audit = try AuditWriter(AuditLog(transaction.db), keys, now: transaction.now)
        if !isOpened { try open(&audit, transaction.now, transaction.db, &transaction.emit) }
        if isRestored { try RestoreNotes.tell(&audit, transaction.db) }
        if let nextLate, nextLate <= transaction.now {
            for order in try erasure.tellLate(now: transaction.now, &audit, transaction.db) { late(order) }
        }
        var did = try access.tick(&audit, in: &transaction)
        if executor.nextTick != nil {
            did = try executor.tick(in: &transaction) || did
            for receipt in executor.takeSigned() {
                try erasure.take(receipt, &audit, transaction.db, &transaction.emit)
            }
        }
        nextLate = try ErasureOrders(transaction.db).nextLate()
        if let next = retention.nextTick, next <= transaction.now {
            did = try retention.tick(&audit, in: &transaction) || did
        }
        return try audit.finish(&transaction.emit) || did
    }

    public func committed(now: UnixMilliseconds) throws {
        (isOpened, isRestored) = (true, false)
        if consents > 0 { kept(consents) }
        consents = 0
        try executor.committed(now: now)
        try retention.committed(now: now)
        try access.committed()
    }

    public var nextTick: UnixMilliseconds? {
        guard isOpened, !isRestored else { return 0 }
        return [executor.nextTick, access.nextTick, nextLate, retention.nextTick].compactMap(\.self).min()
    }

    /// The first entry of a new log, and the keys by which others can check what is signed here.
    private func open(
        _ audit: inout AuditWriter, _ now: UnixMilliseconds, _ db: Database, _ emit: inout Emission
    ) throws {
        try audit.open()
        // The executor announces the other one itself.
        _ = try ErasureOrders(db).add(receiptKey.document(since: now))
        let key = keys.document(since: now)
        guard try ErasureOrders(db).add(key) else { return }
        try emit.append(to: .privacy, kind: .verificationKey, columns: .documents([(key.keyID, key)]))
    }

    /// What the log, which is kept for ever, says of a consent: nothing about the person.
    private func audited(_ document: ConsentDocument, _ encoder: JSONEncoder) throws -> String {
        var document = document
        (document.ageBand, document.guardian) = (nil, nil)
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private func keep(_ record: ConsentRecord, _ store: PrivacyWorkerStore, _ audit: inout AuditWriter) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(record.document), as: UTF8.self)
        let action = PrivacyWorkerCore.action(record.document, after: try store.newestConsent(of: record.device))
        try store.append(record, text: text)
        consents += 1
        try audit.append(
            actor: "device", action: action.rawValue, subject: keys.subject(device: record.device),
            detail: audited(record.document, encoder))
    }
}

extension PrivacyWorkerEffects {
    /// What the worker does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try RestoreNotes.note(restoration, db)
    }
}
