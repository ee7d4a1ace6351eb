internal import Alarms
public import GRDB
public import Lanes
internal import Logging
public import Models
public import Storage
internal import SubjectRights
internal import Wire

/// What the router does with a block, in the transaction that moves its cursor: tenants, commands, on-call and site documents from
/// `operations`; alarms, sensor events and doors' answers from `realtime`; erasures from `privacy`; how the provider of rewards is.
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
            LaneSubscription(lane: .operations, kinds: [.tenant, .alarmCommand] + OnCallBook.kinds + Sites.kinds),
            LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .erasureOrder, .retentionOrder, .accessOrder]),
            LaneSubscription(lane: .rewards, kinds: [.providerState], isRequired: false),
        ]
    }

    /// What the router's windows of rules read, by a reader of their own.
    public static func windowSubscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        WindowsEffects.subscriptions(programmes)
    }

    let programmes: Programmes
    let store: AlertRouterStore
    private let handlers: EffectHandlers<AlertRouterEffects>
    private let tenants: TenantKeeping
    private let unusable: (_ document: String, _ reason: String) -> Void
    private var parts: Parts
    private var decoder = ColumnDecoder()
    /// How far an erasure has come.
    var erasure = ContributionErasure()

    /// What the router does, each part with one duty.
    private struct Parts {
        var urgent: UrgentCounting
        var found: FoundAlarms
        var handlings: AlarmHandlings
        var sites: Sites
        var book: OnCallBook
        var lateErasures: LateErasures
        var lowFloat: LowFloat
        var housekeeping: MessageHousekeeping
        var announcer = EndpointAnnouncer()
        var outbox: AlarmOutbox
    }

    /// - Parameters:
    ///   - programmes: whose records raise alarms.
    ///   - database: opened with ``migrations``.
    ///   - updateInterval: least milliseconds between two updates of an alarm that only count.
    ///   - keepMilliseconds, mostMessages: how long and how many messages of a tenant are kept for replay.
    ///   - raisedPerMinute: alarms of rules of one owner that are told in a minute, each for itself.
    ///   - trust: whose records count in alarms that are worse than a warning.
    ///   - skipped: told after a commit how many records did not count, and why; called on the engine's thread.
    ///   - siteRows: told after a commit what became of rows of sensors and doors; called on the engine's thread.
    ///   - held: told after a commit how many alarms others speak for, or that stay open, and why; called on the engine's thread.
    ///   - unreadable: told which commands of contacts were set aside, and why; called on the engine's thread.
    ///   - refused: told which tenants of the lane cannot be, and why; called on the engine's thread.
    ///   - unusable: told which documents of on-call and of sites cannot be used, and why; called on the engine's thread.
    ///   - stepped: told after each step of an escalation whether it called anybody; called on the engine's thread.
    ///   - publish: takes the messages of each commit, in order for each tenant; called on the engine's thread.
    /// - Throws: if a programme has the number of another's problem, or the database has alarms of a programme that is not there.
    public init(
        programmes: Programmes, database: ServiceDatabase, updateInterval: UnixMilliseconds = 1_000,
        keepMilliseconds: UnixMilliseconds = 8 * 86_400_000, mostMessages: Int64 = 1_000_000,
        raisedPerMinute: Int64 = 30, trust: TrustPolicy = .any,
        skipped: @escaping (_ reason: AlarmExclusion, _ records: Int) -> Void = { _, _ in },
        held: @escaping (_ reason: AlarmHold, _ alarms: Int) -> Void = { _, _ in },
        unreadable: @escaping (_ command: String, _ error: any Error) -> Void = { _, _ in },
        siteRows: @escaping (_ outcome: String, _ rows: Int) -> Void = { _, _ in },
        refused: @escaping (_ name: String, _ reason: String) -> Void = { _, _ in },
        unusable: @escaping (_ document: String, _ reason: String) -> Void = { _, _ in },
        stepped: @escaping (_ hasCalled: Bool) -> Void = { _ in },
        publish: @escaping ([AlertMessage]) -> Void
    ) throws {
        let store = AlertRouterStore(try AlarmProblems(programmes))
        self.programmes = programmes
        self.store = store
        self.unusable = unusable
        handlers = Self.handlers(programmes)
        tenants = try TenantKeeping(database, refused: refused)
        let (urgent, found, handlings, book, sites) = try database.read { db in
            try store.refuseUnknownProblems(db)
            let urgent = try UrgentCounting(
                store, updateInterval: updateInterval, trust: trust, skipped: skipped, db)
            let found = try FoundAlarms(store, budget: raisedPerMinute, held: held, db)
            let handlings = try AlarmHandlings(store, unreadable: unreadable, stepped: stepped, db)
            let sites = try Sites(
                store, counted: { siteRows($0.rawValue, $1) }, unreadable: unreadable, unusable: unusable, db)
            return (urgent, found, handlings, try OnCallStore.book(db), sites)
        }
        parts = Parts(
            urgent: urgent, found: found, handlings: handlings, sites: sites, book: book,
            lateErasures: LateErasures(store), lowFloat: LowFloat(store),
            housekeeping: MessageHousekeeping(store, keep: keepMilliseconds, mostMessages: mostMessages),
            outbox: AlarmOutbox(publish: publish))
    }

    /// The sockets of the tenants; nil for simulations, which have none.
    var endpoints: (any TenantEndpoints)? {
        get { parts.announcer.endpoints }
        set { parts.announcer.endpoints = newValue }
    }

    /// Where alarms of rules come from; nil where no rules run.
    var desk: TransitionDesk? {
        get { parts.found.desk }
        set { parts.found.desk = newValue }
    }

    /// Logs which rows counted in which alarms, after the commit; nil: nothing is logged.
    var logger: Logger? {
        get { parts.urgent.logger }
        set { parts.urgent.logger = newValue }
    }

    /// The tenants of the lane as they are now, besides the built-in regulator.
    var present: [AlertTenant] { tenants.present }

    /// What is done with each kind that the router reads itself: whatever programmes let records report is gathered.
    private static func handlers(_ programmes: Programmes) -> EffectHandlers<AlertRouterEffects> {
        var handlers: [RecordKind: EffectHandlers<AlertRouterEffects>.Handler] = [
            .tenant: { router, block, transaction in try router.tenants.follow(block.columns, transaction.db) },
            .alarmCommand: { router, block, transaction in
                _ = try router.tell(&transaction) { [present = router.present] parts, notifications in
                    try parts.handlings.decide(block.columns, tenants: present, parts.book, &notifications)
                    try parts.found.refresh(notifications.db)
                    return true
                }
            },
            .siteCommand: { router, block, transaction in
                _ = try router.tell(&transaction) { [present = router.present] parts, notifications in
                    try parts.sites.decide(block.columns, tenants: present, &notifications)
                    return true
                }
            },
            .erasureOrder: { router, block, transaction in
                try router.parts.lateErasures.follow(block.columns, transaction.db)
            },
            .providerState: { router, block, transaction in
                _ = try router.tell(&transaction) { try $0.lowFloat.follow(block.columns, &$1) }
            },
        ]
        for kind in Sites.documents {
            handlers[kind] = { router, block, transaction in
                _ = try router.tell(&transaction) { parts, notifications in
                    try parts.sites.follow(kind, block.columns, &notifications)
                    return true
                }
            }
        }
        for kind in OnCallBook.kinds {
            handlers[kind] = { router, block, transaction in try router.follow(kind, block.columns, &transaction) }
        }
        for kind in programmes.kinds where !kind.kind.problems.isEmpty {
            handlers[kind.kind] = { router, block, _ in router.parts.urgent.gather(block, of: kind) }
        }
        for kind in [RecordKind.sensorEvent, .commandResult] where handlers[kind] != nil {
            handlers[kind] = { router, block, transaction in
                _ = try router.tell(&transaction) { parts, notifications in
                    let rows = SiteRows(block.columns, committedAt: block.header.committedAt)
                    if kind == .sensorEvent {
                        try parts.sites.take(events: rows, &notifications)
                    } else {
                        try parts.sites.take(results: rows, &notifications)
                    }
                    return true
                }
            }
        }
        return EffectHandlers("alert-router", handlers)
    }

    /// Takes in schedules, escalations and planned work. Alarms that were planned by what has changed are planned anew.
    private func follow(_ kind: RecordKind, _ columns: Columns, _ transaction: inout EffectTransaction) throws {
        let (changed, faults) = try OnCallStore.follow(kind, columns, &parts.book, transaction.db)
        for fault in faults { unusable(fault.document, fault.reason) }
        guard kind == .maintenance else { return }
        _ = try tell(&transaction) { parts, notifications in
            try parts.handlings.replan(changed, parts.book, &notifications)
            return true
        }
    }

    public func require(_ kind: RecordKind, on lane: LaneName) throws { try handlers.require(kind, on: lane) }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        parts.urgent.begin()
        var router = self
        for block in blocks { try handlers.handle(block, &decoder, with: &router, in: &transaction) }
        if tenants.hasChanged {
            parts.housekeeping.hurry()
            _ = try tell(&transaction) { [present] parts, notifications in
                try parts.handlings.forgetOthers(than: present, &notifications)
                return true
            }
        }
        _ = try tell(&transaction) { parts, notifications in
            try parts.urgent.count(&notifications)
            return true
        }
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        // What is cleared tells its last counts.
        var did = try tell(&transaction) { try $0.urgent.clearOver(&$1) }
        did = try tell(&transaction) { try $0.urgent.tellDue(&$1) } || did
        did = try tell(&transaction) { try $0.found.take(&$1) } || did
        did = try tell(&transaction) { try $0.handlings.expire($0.book, &$1) } || did
        did = try tell(&transaction) { try $0.sites.expire(&$1) } || did
        did = try parts.announcer.announce(present, in: transaction.db, emit: &transaction.emit) || did
        if let nextLook = parts.lateErasures.nextLook, nextLook <= transaction.now {
            did = try tell(&transaction) { try $0.lateErasures.look(&$1) } || did
        }
        guard transaction.now >= parts.housekeeping.nextRun else { return did }
        return try tell(&transaction) { [present] parts, notifications in
            try parts.housekeeping.run(present, &notifications)
            return true
        }
    }

    public func committed(now: UnixMilliseconds) {
        parts.urgent.committed()
        parts.found.committed()
        parts.sites.committed()
        parts.announcer.committed()
        if tenants.takeChange() { endpoints?.settle(present) }
        publishCommitted()
        parts.urgent.logTrace()
    }

    /// Lets the messages of a transaction leave that is committed, whether it is on disk or not: numbers that a power cut made
    /// forget are not given out again (``AlertLife``).
    public func publishCommitted() { parts.outbox.release() }

    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) {
        parts.urgent.completeTo = moments.moment(of: [.realtime])
    }

    public var completeTo: UnixMilliseconds? { parts.urgent.completeTo }

    public var nextTick: UnixMilliseconds? {
        guard !parts.announcer.isDue, !parts.urgent.mayClear, !parts.found.isDue else { return 0 }
        return min(
            parts.urgent.nextDue ?? .max, parts.handlings.nextDue ?? .max, parts.sites.nextDue ?? .max,
            parts.housekeeping.nextRun,
            parts.lateErasures.nextLook ?? .max)
    }

    /// Lets a part tell what it has to in this transaction; gives back whether it did anything.
    private func tell(
        _ transaction: inout EffectTransaction,
        _ work: (_ parts: inout Parts, _ notifications: inout AlarmNotifications) throws -> Bool
    ) throws -> Bool {
        var notifications = parts.outbox.notifications(to: present, parts.book, in: transaction)
        let did = try work(&parts, &notifications)
        if notifications.hasBegun { try parts.handlings.lookForDue(notifications.db) }
        try parts.outbox.take(notifications, &transaction.emit)
        return did
    }
}

extension AlertRouterEffects {
    /// What the router does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try AlertLeaps.leap(db, by: restoration.leap(atLeast: AlertLeaps.width, perSecond: 100_000))
        try AlertRouterStore.leapEpisodes(
            db, by: restoration.leap(atLeast: AlertRouterStore.episodeLeap, perSecond: 1))
        try SiteStore.endOrders(db)
    }
}
