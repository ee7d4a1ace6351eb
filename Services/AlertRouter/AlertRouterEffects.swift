public import GRDB
public import Lanes
internal import Logging
public import Models
public import Storage
internal import SubjectRights
internal import Wire

/// What the router does with a block, in the transaction that moves its cursor: tenants from `operations`; from
/// `realtime` alarms, their messages with their numbers, and the alarms lane.
///
/// Confined to the thread of its engine. Messages leave by `publish` after the commit, endpoints open and close once it is on
/// disk too.
public final class AlertRouterEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the router's database.
    public static let migrations: [Migration] = AlertRouterStore.migrations
    /// What the router reads.
    ///
    /// - Parameter programmes: whose records raise alarms, as far as they can report problems.
    public static func subscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        [
            LaneSubscription(lane: .realtime, kinds: programmes.recordKinds { !$0.kind.problems.isEmpty }),
            LaneSubscription(lane: .operations, kinds: [.tenant]),
            LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .erasureOrder, .retentionOrder, .accessOrder]),
        ]
    }

    /// Deferred updates told in one transaction at most.
    static let toldAtOnce = 500
    /// From the end of a round of housekeeping to the next, and between the parts of one.
    static let trimInterval: UnixMilliseconds = 60_000
    static let trimPause: UnixMilliseconds = 50

    /// The sockets of the tenants; nil for simulations, which have none.
    var endpoints: (any TenantEndpoints)?

    /// Logs which rows counted in which alarms, after the commit; nil: nothing is logged.
    var logger: Logger?

    /// How far an erasure has come.
    var erasure = ContributionErasure()

    let programmes: Programmes
    private let handlers: EffectHandlers<AlertRouterEffects>
    let store: AlertRouterStore
    private var trace = AlarmTrace()
    private let tenants: TenantKeeping
    private var housekeeping: MessageHousekeeping
    private let updateInterval: UnixMilliseconds
    private let trust: TrustPolicy
    private let skipped: (_ records: Int) -> Void
    private let publish: ([AlertMessage]) -> Void
    private let deflater = BodyDeflater()
    private var decoder = ColumnDecoder()
    private var outgoing: [AlertMessage] = []
    /// Urgent records of this transaction, by their alarms.
    private var urgent = UrgentGroups()
    /// Those that count in no alarm.
    private var uncounted = 0
    private var nextDue: UnixMilliseconds?
    private var nextTrim: UnixMilliseconds = 0
    private var hasAnnounced = false
    public private(set) var completeTo: UnixMilliseconds?
    /// When erasures are looked at for late ones; nil: none can become late.
    private var nextLate: UnixMilliseconds? = 0
    /// What that will be once this transaction is committed.
    private var nextLateThen: UnixMilliseconds??

    /// - Parameters:
    ///   - programmes: whose records raise alarms.
    ///   - database: opened with ``migrations``.
    ///   - updateInterval: least milliseconds between two updates of an alarm that only count.
    ///   - keepMilliseconds, mostMessages: how long and how many messages of a tenant are kept for replay.
    ///   - trust: whose records count in alarms that are worse than a warning.
    ///   - skipped: told after a commit how many records did not count for want of trust; called on the engine's thread.
    ///   - refused: told which tenants of the lane cannot be, and why; called on the engine's thread.
    ///   - publish: takes the messages of each commit, in order for each tenant; called on the engine's thread.
    /// - Throws: if a programme has the number of another's problem, or the database has alarms of a programme that is not there.
    public init(
        programmes: Programmes, database: ServiceDatabase, updateInterval: UnixMilliseconds = 1_000,
        keepMilliseconds: UnixMilliseconds = 8 * 86_400_000, mostMessages: Int64 = 1_000_000,
        trust: TrustPolicy = .any, skipped: @escaping (_ records: Int) -> Void = { _ in },
        refused: @escaping (_ name: String, _ reason: String) -> Void = { _, _ in },
        publish: @escaping ([AlertMessage]) -> Void
    ) throws {
        let store = AlertRouterStore(try AlarmProblems(programmes))
        self.programmes = programmes
        handlers = Self.handlers(programmes)
        self.store = store
        housekeeping = MessageHousekeeping(store, keep: keepMilliseconds, mostMessages: mostMessages)
        tenants = try TenantKeeping(database, refused: refused)
        self.updateInterval = updateInterval
        self.trust = trust
        self.skipped = skipped
        self.publish = publish
        nextDue = try database.read { db in
            try store.refuseUnknownProblems(db)
            return try store.nextDue(db)
        }
    }

    /// The tenants of the lane as they are now, besides the built-in regulator.
    var present: [AlertTenant] { tenants.present }

    /// What is done with each kind that the router reads itself: whatever programmes let records report is gathered.
    private static func handlers(_ programmes: Programmes) -> EffectHandlers<AlertRouterEffects> {
        var handlers: [RecordKind: EffectHandlers<AlertRouterEffects>.Handler] = [
            .tenant: { router, block, transaction in try router.tenants.follow(block.columns, transaction.db) },
            .erasureOrder: { router, block, transaction in
                try OpenErasures(transaction.db).follow(block.columns)
                (router.nextLate, router.nextLateThen) = (0, nil)
            },
        ]
        for kind in programmes.kinds where !kind.kind.problems.isEmpty {
            handlers[kind.kind] = { router, block, _ in router.gather(block, of: kind) }
        }
        return EffectHandlers("alert-router", handlers)
    }

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try handlers.require(kind, on: lane) }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        (urgent, uncounted) = (UrgentGroups(), 0)
        var router = self
        for block in blocks { try handlers.handle(block, &decoder, with: &router, in: &transaction) }
        if tenants.hasChanged { nextTrim = 0 }
        var round = TellingRound(tenants.present, deflater, now: transaction.now, transaction.db)
        for group in urgent.groups {
            try count(group.records, of: group.key, &round)
        }
        outgoing += try round.finish(&transaction.emit)
    }

    /// Urgent records of a block, those that do not count aside.
    private func gather(_ block: ReadBlock, of kind: ProgrammeKind) {
        let records = UrgentRows(block.columns, of: kind).records(
            committedAt: block.header.committedAt, in: logger == nil ? nil : block.position)
        let counting = records.filter { $0.counts(under: trust) }
        uncounted += records.count - counting.count
        urgent.append(counting)
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        let due = try store.due(transaction.now, limit: Self.toldAtOnce, transaction.db)
        if !due.isEmpty {
            var round = TellingRound(tenants.present, deflater, now: transaction.now, transaction.db)
            for stored in due { try decide(.tick(now: transaction.now), stored.number, stored.alarm, &round) }
            outgoing += try round.finish(&transaction.emit)
        }
        nextDue = try store.nextDue(transaction.db)
        let didAnnounce = try announce(transaction.db, &transaction.emit)
        var did = !due.isEmpty || didAnnounce
        if let nextLate, nextLate <= transaction.now {
            did = try judgeLateness(transaction.now, transaction.db, &transaction.emit) || did
        }
        guard transaction.now >= nextTrim else { return did }
        var round = TellingRound([], deflater, now: transaction.now, transaction.db)
        let more = try housekeeping.run(tenants.present, &round)
        outgoing += try round.finish(&transaction.emit)
        nextTrim = transaction.now + (more ? Self.trimPause : Self.trimInterval)
        return true
    }

    public func committed(now: UnixMilliseconds) {
        if uncounted > 0 {
            skipped(uncounted)
            uncounted = 0
        }
        if let then = nextLateThen { (nextLate, nextLateThen) = (then, nil) }
        if hasAnnounced {
            hasAnnounced = false
            endpoints?.announced()
        }
        if tenants.takeChange() { endpoints?.settle(tenants.present) }
        publishCommitted()
        for line in trace.takeLines() { logger?.info("rows counted in alarms", metadata: line) }
    }

    /// Lets the messages of a transaction leave that is committed, whether it is on disk or not: numbers that a power cut made
    /// forget are not given out again (``AlertLife``).
    public func publishCommitted() {
        guard !outgoing.isEmpty else { return }
        publish(outgoing)
        outgoing.removeAll(keepingCapacity: true)
    }

    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) { completeTo = moments.moment(of: [.realtime]) }

    public var nextTick: UnixMilliseconds? {
        endpoints?.hasNews == true ? 0 : min(nextDue ?? .max, nextTrim, nextLate ?? .max)
    }

    private func announce(_ db: Database, _ emit: inout Emission) throws -> Bool {
        guard let endpoints, endpoints.hasNews else { return false }
        hasAnnounced = true
        let names = [AlertTenant.regulator.name] + tenants.present.map(\.name)
        return try EndpointAnnouncer().announce(endpoints.bound, tenants: Set(names), in: db, emit: &emit)
    }

    private func count(_ records: [UrgentRecord], of key: AlarmKey, _ round: inout TellingRound) throws {
        guard let stored = try store.alarm(key, round.db) else { return try raise(records, &round) }
        trace.note(stored.alarm, records)
        let new = try store.count(records, in: stored.number, devices: stored.alarm.devices, round.db)
        try store.note(Set(records.compactMap(\.serving)), of: stored.number, round.db)
        try decide(.records(records, newDevices: new, now: round.now), stored.number, stored.alarm, &round)
    }

    /// The alarm's row comes first, since its devices refer to it.
    private func raise(_ records: [UrgentRecord], _ round: inout TellingRound) throws {
        let devices = Set(records.map(\.device))
        var core = AlertRouterCore(nil, updateInterval: updateInterval)
        let actions = core.handle(.records(records, newDevices: Int64(devices.count), now: round.now))
        guard let alarm = core.alarm else { return }
        trace.note(alarm, records)
        let number = try store.insert(alarm, round.db)
        _ = try store.count(records, in: number, devices: 0, round.db)
        try store.note(Set(records.compactMap(\.serving)), of: number, round.db)
        try carryOut(actions, number, alarm, &round)
    }

    /// Raises, tells again or clears the alarm of late erasures; true if it did.
    private func judgeLateness(_ now: UnixMilliseconds, _ db: Database, _ emit: inout Emission) throws -> Bool {
        let stored = try store.alarm(.lateErasures(), db), erasures = OpenErasures(db)
        var core = LatenessCore(stored?.alarm), round = TellingRound(tenants.present, deflater, now: now, db)
        let actions = try core.handle(late: erasures.late(now), now: now)
        nextLateThen = .some(try erasures.nextLate(after: now))
        guard !actions.isEmpty, let alarm = core.alarm else { return false }
        let number = stored.flatMap { $0.alarm.key == alarm.key ? $0.number : nil }
        if let number { try store.update(AlertRouterStore.Stored(number: number, alarm: alarm), db) }
        try carryOut(actions, number ?? store.insert(alarm, db), alarm, &round)
        outgoing += try round.finish(&emit)
        return true
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

extension AlertRouterEffects {
    /// What the router does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try AlertLeaps.leap(db, by: restoration.leap(atLeast: AlertLeaps.width, perSecond: 100_000))
    }
}
