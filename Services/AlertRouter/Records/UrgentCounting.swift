internal import Lanes
internal import Logging
internal import Models
internal import Wire

/// Counts urgent records in alarms: gathers those of a transaction, hands them to the core of each alarm, keeps what it decides,
/// and tells what is due.
struct UrgentCounting {
    /// Deferred updates told in one transaction at most.
    static let toldAtOnce = 500

    /// Logs which rows counted in which alarms, after the commit; nil: nothing is logged.
    var logger: Logger?

    private let store: AlertRouterStore
    private let updateInterval: UnixMilliseconds
    private let trust: TrustPolicy
    private let skipped: (_ reason: AlarmExclusion, _ records: Int) -> Void
    /// Urgent records of this transaction, by their alarms.
    private var groups = UrgentGroups()
    /// Those that count in no alarm.
    private var uncounted: [AlarmExclusion: Int] = [:]
    private var trace = AlarmTrace()
    /// When the next update is to be told.
    private(set) var nextDue: UnixMilliseconds?

    /// - Parameters:
    ///   - updateInterval: least milliseconds between two updates of an alarm that only count.
    ///   - trust: whose records count in alarms that are worse than a warning.
    ///   - skipped: told after a commit how many records did not count, and why.
    init(
        _ store: AlertRouterStore, updateInterval: UnixMilliseconds, trust: TrustPolicy,
        skipped: @escaping (_ reason: AlarmExclusion, _ records: Int) -> Void, nextDue: UnixMilliseconds?
    ) {
        self.store = store
        self.updateInterval = updateInterval
        self.trust = trust
        self.skipped = skipped
        self.nextDue = nextDue
    }

    /// A transaction begins.
    mutating func begin() { (groups, uncounted) = (UrgentGroups(), [:]) }

    /// Takes the urgent records of a block, those that do not count aside.
    mutating func gather(_ block: ReadBlock, of kind: ProgrammeKind) {
        let records = UrgentRows(block.columns, of: kind).records(
            committedAt: block.header.committedAt, in: logger == nil ? nil : block.position)
        for record in records {
            if let reason = record.exclusion(under: trust) {
                uncounted[reason, default: 0] += 1
            } else {
                groups.append(record)
            }
        }
    }

    /// Counts what was gathered.
    mutating func count(_ notifications: inout AlarmNotifications) throws {
        for group in groups.groups { try count(group.records, of: group.key, &notifications) }
    }

    /// Tells the changes that are due; true if there were any.
    mutating func tellDue(_ notifications: inout AlarmNotifications) throws -> Bool {
        let due = try store.due(notifications.now, limit: Self.toldAtOnce, notifications.db)
        for stored in due {
            try decide(.tick(now: notifications.now), stored.number, stored.alarm, &notifications)
        }
        nextDue = try store.nextDue(notifications.db)
        return !due.isEmpty
    }

    /// The transaction is committed.
    mutating func committed() {
        for reason in AlarmExclusion.allCases {
            if let records = uncounted[reason] { skipped(reason, records) }
        }
        uncounted = [:]
    }

    /// Logs which rows of the committed transaction counted in which alarms.
    mutating func logTrace() {
        for line in trace.takeLines() { logger?.info("rows counted in alarms", metadata: line) }
    }

    private mutating func count(
        _ records: [UrgentRecord], of key: AlarmKey, _ notifications: inout AlarmNotifications
    ) throws {
        guard let stored = try store.alarm(key, notifications.db) else { return try raise(records, &notifications) }
        trace.note(stored.alarm, records)
        let new = try store.count(records, in: stored.number, devices: stored.alarm.devices, notifications.db)
        try store.note(Set(records.compactMap(\.serving)), of: stored.number, notifications.db)
        try decide(
            .records(records, newDevices: new, now: notifications.now), stored.number, stored.alarm, &notifications)
    }

    /// The alarm's row comes first, since its devices refer to it.
    private mutating func raise(_ records: [UrgentRecord], _ notifications: inout AlarmNotifications) throws {
        let devices = Set(records.map(\.device))
        var core = AlertRouterCore(nil, updateInterval: updateInterval)
        let actions = core.handle(.records(records, newDevices: Int64(devices.count), now: notifications.now))
        guard let alarm = core.alarm else { return }
        trace.note(alarm, records)
        let number = try store.insert(alarm, notifications.db)
        _ = try store.count(records, in: number, devices: 0, notifications.db)
        try store.note(Set(records.compactMap(\.serving)), of: number, notifications.db)
        try carryOut(actions, number, alarm, &notifications)
    }

    private mutating func decide(
        _ event: AlertRouterCore.Event, _ number: Int64, _ alarm: Alarm, _ notifications: inout AlarmNotifications
    ) throws {
        var core = AlertRouterCore(alarm, updateInterval: updateInterval)
        let actions = core.handle(event)
        guard let alarm = core.alarm else { return }
        try store.update(AlertRouterStore.Stored(number: number, alarm: alarm), notifications.db)
        try carryOut(actions, number, alarm, &notifications)
    }

    private mutating func carryOut(
        _ actions: [AlertRouterCore.Action], _ number: Int64, _ alarm: Alarm, _ notifications: inout AlarmNotifications
    ) throws {
        for action in actions {
            if case .wait(let until) = action { nextDue = min(nextDue ?? .max, until) }
            if let notification = AlarmNotification(action, alarm) {
                try notifications.tell(notification, alarm: number)
            }
        }
    }
}
