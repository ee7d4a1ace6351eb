internal import Alarms
internal import Foundation
internal import GRDB
internal import IngestCommands
public import Lanes
public import Models
internal import QoE
internal import SubjectRights
internal import Wire

/// What ingest does with the state lanes it reads: it keeps its own copy, in the transaction that moves the cursors.
///
/// - `rewards`: grants and balances, for `GET /v1/me/rewards`; progress, for `GET /v1/me/progress`; places, for
///   `GET /v1/standings`; the key to which payout numbers are sealed; the hashes by which callbacks of providers are known.
/// - `alerts`: alarms and contributions, for `GET /v1/me/impact`; orders to doors.
/// - `operations`: rules, prompt policy, sites and sensors.
/// - `rollups`: medians of what was released, for the prompt policy.
/// - `deliveries`, where there is a notifier: the keys to which subscriptions of browsers are sealed.
/// - `privacy`: how erasures stand, public keys, and parts of copies that subscribers asked for, sealed.
///
/// Keeps nothing in memory from one transaction to the next, so a step that failed may be repeated. A record that cannot be read is
/// left out, and counted.
public final class CopiesEffects: BlockEffects {
    /// What ingest reads. Optional: uploads go on without it, and a state lane tells a latecomer everything.
    public static let subscriptions = [
        LaneSubscription(
            lane: .rewards,
            kinds: [.grant, .balance, .progress, .standing, .payoutKey, .callbackSecret, .erasureReceipt],
            isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .alerts, kinds: [.alarm, .contribution, .doorOrder, .erasureReceipt], isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .operations, kinds: [.rule, .promptPolicy, .site, .sensor], isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .privacy,
            kinds: [.erasureSubject, .erasureOrder, .verificationKey, .retentionOrder, .accessPart],
            window: Credit(blocks: 128, bytes: 4 << 20)),
        LaneSubscription(
            lane: .rollups, kinds: [.release, .releaseAtom], isRequired: false,
            window: Credit(blocks: 128, bytes: 4 << 20)),
    ]

    /// What ingest reads where there may be a notifier.
    public static func subscriptions(hasNotifier: Bool) -> [LaneSubscription] {
        guard hasNotifier else { return subscriptions }
        return subscriptions + [LaneSubscription(lane: .deliveries, kinds: [.channelKey], isRequired: false)]
    }

    /// Grants kept of each device.
    public static let mostGrants: Int64 = 1_000
    /// Alarms kept of each device.
    public static let mostAlarms: Int64 = 100

    private let zone: TimeZone
    private let mostGrants: Int64
    private let unreadable: (RecordKind, String) -> Void
    /// Told of orders to doors once they are committed as read.
    package var orders: DeviceOrders?
    /// Orders of this transaction, and those that are over; nil documents.
    private var ordered: [(task: String, order: DoorOrder?)] = []
    /// Told of what devices may be asked about once it is committed as read; nil: nobody is asked.
    package var questions: AlarmQuestions?
    /// What this transaction is the first to know, and by which policy it is to be asked about.
    private var asked: (occasions: [AlarmOccasion], policy: PromptPolicy)?
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

    /// What one transaction changes, in the hands of the handlers.
    private struct Reading {
        let unreadable: (RecordKind, String) -> Void
        let db: Database
        var rewards: RewardCopies
        var impact: ImpactCopies
        var ordered: [(task: String, order: DoorOrder?)] = []
    }

    private typealias Take = @Sendable (inout Reading, StateRecord) throws -> Bool

    /// What is done with each kind that the copies read themselves.
    private static let handlers = EffectHandlers<Reading>(
        "ingest-copies",
        [
            .grant: each(.grant, takeGrant), .balance: each(.balance, takeBalance),
            .progress: each(.progress, takeProgress),
            .standing: each(.standing) { try StandingCopies($0.db).take($1) },
            .alarm: each(.alarm) { try $0.impact.putAlarm($1) },
            .contribution: each(.contribution) { try $0.impact.putContribution($1) },
            .doorOrder: each(.doorOrder, takeDoorOrder),
            .promptPolicy: each(.promptPolicy) { reading, record in
                guard record.document.map({ PromptPolicy(published: $0) != nil }) ?? true else { return false }
                return try keep(.promptPolicy)(&reading, record)
            },
            .erasureOrder: each(.erasureOrder, takeOrder), .rule: each(.rule, keep(.rule)),
            .site: each(.site, keep(.site)), .sensor: each(.sensor, keep(.sensor)),
            .payoutKey: each(.payoutKey, keep(.payoutKey)), .channelKey: each(.channelKey, keep(.channelKey)),
            .callbackSecret: each(.callbackSecret, keep(.callbackSecret)),
            .verificationKey: each(.verificationKey, keep(.verificationKey)),
            .releaseAtom: { _, block, transaction in
                try MedianCopies.takeAtoms(block.columns, now: transaction.now, transaction.db)
            },
            .release: { reading, block, transaction in
                for record in StateRecord.all(of: block.columns) {
                    let isTaken = try MedianCopies.take(record, now: transaction.now, transaction.db)
                    if !isTaken { reading.unreadable(.release, record.key) }
                }
            },
            .accessPart: { _, block, transaction in try AccessCopies.take(block.columns, transaction.db) },
        ])

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try Self.handlers.require(kind, on: lane) }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        let db = transaction.db
        (ordered, asked) = ([], nil)
        var reading = Reading(
            unreadable: unreadable, db: db, rewards: RewardCopies(db, mostGrants: mostGrants, zone: zone),
            impact: ImpactCopies(db, mostAlarms: Self.mostAlarms, asks: questions != nil))
        for block in blocks {
            try Self.handlers.handle(block, &decoder, with: &reading, in: &transaction)
            try db.cachedStatement(
                sql: """
                    INSERT INTO lanes_read (lane, as_of) VALUES (?, ?)
                    ON CONFLICT (lane) DO UPDATE SET as_of = max(as_of, excluded.as_of)
                    """
            ).execute(arguments: [block.lane.rawValue, block.block.header.committedAt])
        }
        ordered = reading.ordered
        try reading.rewards.save()
        try reading.impact.save(now: transaction.now)
        guard questions != nil else { return }
        let occasions = try reading.impact.occasions()
        guard !occasions.isEmpty else { return }
        let stored = try DocumentCopies.document(.promptPolicy, db)
        asked = (
            occasions, stored.flatMap { PromptPolicy(published: $0[...]) } ?? .builtIn(timeZone: zone.identifier)
        )
    }

    /// What is told to a device was read for good: it is never told a second time.
    public func committed(now: UnixMilliseconds) throws {
        for (task, order) in ordered {
            if let order { orders?.take(order, now: now) } else { orders?.forget(task) }
        }
        ordered = []
        if let asked { questions?.take(asked.occasions, by: asked.policy) }
        asked = nil
    }

    private static let takeDoorOrder: Take = { reading, record in
        guard let bytes = record.document else {
            reading.ordered.append((record.key, nil))
            return true
        }
        guard let order = try? JSONDecoder().decode(DoorOrder.self, from: Data(bytes)) else { return false }
        reading.ordered.append((record.key, order))
        return true
    }

    /// A handler that takes record after record; one that cannot be read is left out, and counted.
    private static func each(_ kind: RecordKind, _ take: @escaping Take) -> EffectHandlers<Reading>.Handler {
        { reading, block, _ in
            for record in StateRecord.all(of: block.columns) {
                if try !take(&reading, record) { reading.unreadable(kind, record.key) }
            }
        }
    }

    /// Keeps the document as it is.
    private static func keep(_ kind: RecordKind) -> Take {
        { reading, record in
            try DocumentCopies.put(record, kind, reading.db)
            return true
        }
    }

    private static let takeGrant: Take = { reading, record in
        guard let bytes = record.document else {
            try reading.rewards.remove(grant: record.key)
            return true
        }
        guard let grant = try? JSONDecoder().decode(GrantDocument.self, from: Data(bytes)), grant.grant == record.key
        else { return false }
        try reading.rewards.put(grant)
        return true
    }

    private static let takeProgress: Take = { reading, record in
        guard let device = UInt64(record.key) else { return false }
        let ordinal = Int64(bitPattern: device)
        guard let bytes = record.document.map({ Data($0) }) else {
            try reading.db.execute(sql: "DELETE FROM progress WHERE device = ?", arguments: [ordinal])
            return true
        }
        guard let progress = try? JSONDecoder().decode(ProgressDocument.self, from: bytes), progress.device == device
        else { return false }
        try reading.db.cachedStatement(sql: "INSERT OR REPLACE INTO progress (device, document) VALUES (?, ?)")
            .execute(arguments: [ordinal, bytes])
        return true
    }

    private static let takeBalance: Take = { reading, record in
        guard let device = UInt64(record.key) else { return false }
        guard let bytes = record.document else {
            try reading.rewards.remove(device: device)
            return true
        }
        guard let balance = try? JSONDecoder().decode(BalanceDocument.self, from: Data(bytes)),
            balance.device == device
        else { return false }
        try reading.rewards.put(balance)
        return true
    }

    /// How an erasure stands; of one that is completed everywhere nothing else is kept.
    private static let takeOrder: Take = { reading, record in
        guard let bytes = record.document,
            let order = try? JSONDecoder().decode(ErasureOrderDocument.self, from: Data(bytes))
        else { return false }
        if order.state == .completed { try ErasureExecutor.forget(record.key, reading.db) }
        try DocumentCopies.put(record, .erasureOrder, reading.db)
        return true
    }
}
