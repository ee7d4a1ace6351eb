internal import Foundation
public import GRDB
public import Lanes
public import Models
public import Storage
internal import Wire

/// What the privacy worker does with a block of the requests lane, in the transaction that moves its cursor: the ledger, the
/// audit log, and the new head of the log for everybody who reads the privacy lane.
///
/// Confined to the thread of its engine.
public final class PrivacyWorkerEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the privacy worker's database.
    public static let migrations: [Migration] = PrivacyWorkerStore.migrations
    /// What the worker reads.
    public static let subscriptions = [LaneSubscription(lane: .requests, kinds: [.consent])]

    private let keys: AuditKeys
    private var decoder = ColumnDecoder()
    private var isOpened: Bool

    /// - Parameter database: opened with ``migrations``.
    /// - Throws: an error that says what to do if the log does not end as it was signed; so does every step.
    public init(database: ServiceDatabase, keys: AuditKeys) throws {
        self.keys = keys
        isOpened = try database.read { try AuditLog($0).trustedHead(keys) != nil }
    }

    public func apply(
        _ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws {
        let store = PrivacyWorkerStore(db)
        var round = try AuditRound(AuditLog(db), keys, now: now)
        for block in blocks {
            for record in try ConsentRecord.records(block.block.columns(with: &decoder)) {
                try keep(record, store, &round)
            }
        }
        try round.finish(&emit)
    }

    /// A log begins with an entry that says so: then an empty one is a log that was emptied.
    public func tick(now: UnixMilliseconds, in db: Database, emit: inout Emission) throws -> Bool {
        var round = try AuditRound(AuditLog(db), keys, now: now)
        try round.open()
        return try round.finish(&emit)
    }

    public func committed(now: UnixMilliseconds) { isOpened = true }

    public var nextTick: UnixMilliseconds? { isOpened ? nil : 0 }

    private func keep(_ record: ConsentRecord, _ store: PrivacyWorkerStore, _ round: inout AuditRound) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(record.document), as: UTF8.self)
        let action = PrivacyWorkerCore.action(record.document, after: try store.newestConsent(of: record.device))
        try store.append(record, text: text)
        try round.append(
            actor: "device", action: action.rawValue, subject: keys.subject(device: record.device), detail: text)
    }
}
