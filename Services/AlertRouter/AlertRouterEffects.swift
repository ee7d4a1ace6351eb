public import GRDB
public import Lanes
public import Models
public import Storage
internal import Wire

/// What the router does with a block of the real-time lane, in the transaction that moves its cursor: alarms, their
/// messages with their numbers, and the alarms lane.
///
/// Confined to the thread of its engine. Messages leave by `publish`, after the commit and never before.
public final class AlertRouterEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the router's database.
    public static let migrations: [Migration] = AlertRouterStore.migrations

    /// Deferred updates told in one transaction at most.
    static let toldAtOnce = 500
    /// From the end of a round of trimming to the next, and between the parts of one.
    static let trimInterval: UnixMilliseconds = 60_000
    static let trimPause: UnixMilliseconds = 50

    private let store = AlertRouterStore()
    private let messages: AlertMessageStore
    private let updateInterval: UnixMilliseconds
    private let publish: ([AlertMessage]) -> Void
    private let deflater = BodyDeflater()
    private var decoder = ColumnDecoder()
    private var outgoing: [AlertMessage] = []
    private var nextDue: UnixMilliseconds?
    private var nextTrim: UnixMilliseconds = 0
    private var trimmedThrough: Int64 = 0

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - updateInterval: least milliseconds between two updates of an alarm that only count.
    ///   - keepMilliseconds, mostMessages: how long and how many messages are kept for replay.
    ///   - publish: takes the messages of each commit, in order; called on the engine's thread.
    public init(
        database: ServiceDatabase, updateInterval: UnixMilliseconds = 1_000,
        keepMilliseconds: UnixMilliseconds = 8 * 86_400_000, mostMessages: Int64 = 1_000_000,
        publish: @escaping ([AlertMessage]) -> Void
    ) throws {
        messages = AlertMessageStore(tenant: .regulator, keep: keepMilliseconds, mostMessages: mostMessages)
        self.updateInterval = updateInterval
        self.publish = publish
        nextDue = try database.read { [store] db in try store.nextDue(db) }
    }

    public func apply(
        _ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission
    ) throws {
        var urgent = UrgentGroups()
        for block in blocks {
            let columns = try block.block.columns(with: &decoder)
            urgent.append(UrgentRows(columns).records(committedAt: block.block.header.committedAt))
        }
        var round = try TellingRound(messages, deflater, now: now, db)
        for group in urgent.groups {
            try count(group.records, of: group.key, &round)
        }
        outgoing += try round.finish(&emit)
    }

    public func tick(now: UnixMilliseconds, in db: Database, emit: inout Emission) throws -> Bool {
        let due = try store.due(now, limit: Self.toldAtOnce, db)
        if !due.isEmpty {
            var round = try TellingRound(messages, deflater, now: now, db)
            for stored in due { try decide(.tick(now: now), stored.number, stored.alarm, &round) }
            outgoing += try round.finish(&emit)
        }
        nextDue = try store.nextDue(db)
        guard now >= nextTrim else { return !due.isEmpty }
        let more = try messages.trim(after: trimmedThrough, now: now, db)
        trimmedThrough = more ?? 0
        nextTrim = now + (more == nil ? Self.trimInterval : Self.trimPause)
        return true
    }

    public func committed(now: UnixMilliseconds) {
        guard !outgoing.isEmpty else { return }
        publish(outgoing)
        outgoing.removeAll(keepingCapacity: true)
    }

    public var nextTick: UnixMilliseconds? { min(nextDue ?? .max, nextTrim) }

    private func count(_ records: [UrgentRecord], of key: AlarmKey, _ round: inout TellingRound) throws {
        guard let stored = try store.alarm(key, round.db) else { return try raise(records, &round) }
        let new = try store.count(records.map(\.device), in: stored.number, round.db)
        try decide(.records(records, newDevices: new, now: round.now), stored.number, stored.alarm, &round)
    }

    /// The alarm's row comes first, since its devices refer to it.
    private func raise(_ records: [UrgentRecord], _ round: inout TellingRound) throws {
        let devices = Set(records.map(\.device))
        var core = AlertRouterCore(nil, updateInterval: updateInterval)
        let actions = core.handle(.records(records, newDevices: Int64(devices.count), now: round.now))
        guard let alarm = core.alarm else { return }
        let number = try store.insert(alarm, round.db)
        _ = try store.count(devices.sorted(), in: number, round.db)
        try carryOut(actions, number, alarm, &round)
    }

    private func decide(
        _ event: AlertRouterCore.Event, _ number: Int64, _ alarm: Alarm, _ round: inout TellingRound
    ) throws {
        var core = AlertRouterCore(alarm, updateInterval: updateInterval)
        let actions = core.handle(event)
        guard let alarm = core.alarm else { return }
        try store.update(AlertRouterStore.Stored(number: number, alarm: alarm), round.db)
        try carryOut(actions, number, alarm, &round)
    }

    private func carryOut(
        _ actions: [AlertRouterCore.Action], _ number: Int64, _ alarm: Alarm, _ round: inout TellingRound
    ) throws {
        for action in actions {
            if case .wait(let until) = action { nextDue = min(nextDue ?? .max, until) }
            if let telling = AlarmTelling(action, alarm) { try round.tell(telling, alarm: number) }
        }
    }
}
