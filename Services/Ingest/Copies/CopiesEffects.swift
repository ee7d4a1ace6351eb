internal import Foundation
public import GRDB
public import Lanes
public import Models
internal import QoE
internal import SubjectRights
internal import Wire

/// What ingest does with the state lanes it reads: it keeps its own copy, in the transaction that moves the cursors.
///
/// Of `rewards` grants and balances, for `GET /v1/me/rewards`, and the key to which payout numbers are sealed; of `alerts`
/// alarms and contributions, for `GET /v1/me/impact`; of `operations` rules and prompt policy; of `privacy` how erasures stand,
/// public keys, and parts of copies that subscribers asked for, sealed. Keeps nothing in memory
/// from one transaction to the next, so a step that failed may be repeated. A record that cannot be read is left out, and
/// counted.
public final class CopiesEffects: BlockEffects {
    /// What ingest reads. Optional: uploads go on without it, and a state lane tells a latecomer everything.
    public static let subscriptions = [
        LaneSubscription(
            lane: .rewards, kinds: [.grant, .balance, .payoutKey, .erasureReceipt], isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .alerts, kinds: [.alarm, .contribution, .erasureReceipt], isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .operations, kinds: [.rule, .promptPolicy], isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .privacy,
            kinds: [.erasureSubject, .erasureOrder, .verificationKey, .retentionOrder, .accessPart],
            window: Credit(blocks: 128, bytes: 4 << 20)),
    ]

    /// Grants kept of each device.
    public static let mostGrants: Int64 = 1_000
    /// Alarms kept of each device.
    public static let mostAlarms: Int64 = 100

    private let zone: TimeZone
    private let mostGrants: Int64
    private let unreadable: (RecordKind, String) -> Void
    private var decoder = ColumnDecoder()

    /// - Parameters:
    ///   - timeZone: whose days a streak counts.
    ///   - unreadable: told kind and key of a record that was left out; on the engine's thread.
    public init(
        timeZone: String, mostGrants: Int64 = CopiesEffects.mostGrants,
        unreadable: @escaping (RecordKind, String) -> Void = { _, _ in }
    ) {
        zone = TimeZone(identifier: timeZone) ?? .gmt
        self.mostGrants = mostGrants
        self.unreadable = unreadable
    }

    public func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {
        var rewards = RewardCopies(db, mostGrants: mostGrants, zone: zone)
        var impact = ImpactCopies(db, mostAlarms: Self.mostAlarms)
        for block in blocks {
            guard let kind = RecordKind.platform(block.block.header.kind) else { continue }
            let columns = try block.block.columns(with: &decoder)
            if kind == .accessPart { try AccessCopies.take(columns, db) }
            for record in StateRecord.all(of: columns) {
                if try !take(record, kind, &rewards, &impact, db) { unreadable(kind, record.key) }
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO lanes_read (lane, as_of) VALUES (?, ?)
                    ON CONFLICT (lane) DO UPDATE SET as_of = max(as_of, excluded.as_of)
                    """
            ).execute(arguments: [block.lane.rawValue, block.block.header.committedAt])
        }
        try rewards.save()
        try impact.save(now: now)
    }

    /// False if the record cannot be read.
    private func take(
        _ record: StateRecord, _ kind: RecordKind, _ rewards: inout RewardCopies, _ impact: inout ImpactCopies,
        _ db: Database
    ) throws -> Bool {
        switch kind {
        case .grant:
            guard let bytes = record.document else { return try removed(rewards.remove(grant: record.key)) }
            guard let grant = try? JSONDecoder().decode(GrantDocument.self, from: Data(bytes)),
                grant.grant == record.key
            else { return false }
            try rewards.put(grant)
        case .balance:
            guard let device = UInt64(record.key) else { return false }
            guard let bytes = record.document else { return try removed(rewards.remove(device: device)) }
            guard let balance = try? JSONDecoder().decode(BalanceDocument.self, from: Data(bytes)),
                balance.device == device
            else { return false }
            try rewards.put(balance)
        case .alarm: return try impact.putAlarm(record)
        case .contribution: return try impact.putContribution(record)
        case .promptPolicy:
            guard record.document.map({ PromptPolicy(published: $0) != nil }) ?? true else { return false }
            try DocumentCopies.put(record, kind, db)
        case .erasureOrder: return try takeOrder(record, db)
        case .rule, .payoutKey, .verificationKey: try DocumentCopies.put(record, kind, db)
        default: break
        }
        return true
    }

    /// How an erasure stands; of one that is completed everywhere nothing else is kept.
    private func takeOrder(_ record: StateRecord, _ db: Database) throws -> Bool {
        guard let bytes = record.document,
            let order = try? JSONDecoder().decode(ErasureOrderDocument.self, from: Data(bytes))
        else { return false }
        if order.state == .completed { try ErasureRounds.forget(record.key, db) }
        try DocumentCopies.put(record, .erasureOrder, db)
        return true
    }

    private func removed(_: Void) -> Bool { true }
}
