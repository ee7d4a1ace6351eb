internal import GRDB
internal import Lanes
internal import Logging
internal import Models
internal import Wire

/// Counts urgent records in alarms: gathers those of a transaction, hands them to the core of each alarm, keeps what it decides,
/// tells what is due and clears what is over.
struct UrgentCounting {
    /// Deferred updates, and alarms that are over, told in one transaction at most.
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
    /// When the next alarm may be over.
    private var nextOver: UnixMilliseconds?
    /// To which moment the lane of urgent records is complete here, by ingest's clock; nil while that is not known.
    var completeTo: UnixMilliseconds?

    /// - Parameters:
    ///   - updateInterval: least milliseconds between two updates of an alarm that only count.
    ///   - trust: whose records count in alarms that are worse than a warning.
    ///   - skipped: told after a commit how many records did not count, and why.
    init(
        _ store: AlertRouterStore, updateInterval: UnixMilliseconds, trust: TrustPolicy,
        skipped: @escaping (_ reason: AlarmExclusion, _ records: Int) -> Void, _ db: Database
    ) throws {
        self.store = store
        self.updateInterval = updateInterval
        self.trust = trust
        self.skipped = skipped
        nextDue = try store.nextDue(db)
        nextOver = try store.nextOver(db)
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

    /// Whether an alarm may be over: nothing is while the lane is behind, or ingest silent.
    var mayClear: Bool {
        guard let completeTo, let nextOver else { return false }
        return nextOver <= completeTo - Alarm.settling
    }

    /// Clears alarms without news; true if there may have been any.
    mutating func clearOver(_ notifications: inout AlarmNotifications) throws -> Bool {
        guard mayClear, let completeTo else { return false }
        let moment = completeTo - Alarm.settling
        for stored in try store.over(by: moment, limit: Self.toldAtOnce, notifications.db) {
            if stored.alarm.isOver(completeTo: completeTo) {
                _ = try clear(stored, &notifications)
            } else {
                try store.setOver(stored, notifications.db)
            }
        }
        nextOver = try store.nextOver(notifications.db)
        return true
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

    /// Records of a key, by the alarms that they belong to.
    private mutating func count(
        _ records: [UrgentRecord], of key: AlarmKey, _ notifications: inout AlarmNotifications
    ) throws {
        var last = try store.alarm(key, notifications.db), rest = records[...]
        while let first = rest.first {
            let belonging = last?.alarm.belonging(first) ?? .next
            let run = rest.prefix(last?.alarm.run(of: rest) ?? Alarm.firstRun(of: rest))
            rest = rest.dropFirst(run.count)
            if belonging != .open, let over = last { last = try clear(over, &notifications) }
            if let last, belonging != .next {
                try add(Array(run), to: last, &notifications)
            } else {
                try raise(Array(run), after: last?.alarm, &notifications)
            }
            if !rest.isEmpty { last = try store.alarm(key, notifications.db) }
        }
    }

    private mutating func add(
        _ records: [UrgentRecord], to stored: AlertRouterStore.Stored, _ notifications: inout AlarmNotifications
    ) throws {
        trace.note(stored.alarm, records)
        let new = try store.count(records, in: stored.number, devices: stored.alarm.devices, notifications.db)
        try store.note(Set(records.compactMap(\.serving)), of: stored.number, notifications.db)
        try decide(
            .records(records, newDevices: new, now: notifications.now), stored.number, stored.alarm, &notifications)
    }

    /// The alarm's row comes first, since its devices refer to it.
    private mutating func raise(
        _ records: [UrgentRecord], after last: Alarm?, _ notifications: inout AlarmNotifications
    ) throws {
        let episode = try store.nextEpisode(of: records[0].key, after: last?.key.episode, notifications.db)
        let devices = Set(records.map(\.device))
        var core = AlertRouterCore(nil, episode: episode, updateInterval: updateInterval)
        let actions = core.handle(.records(records, newDevices: Int64(devices.count), now: notifications.now))
        guard let alarm = core.alarm else { return }
        trace.note(alarm, records)
        let number = try store.insert(alarm, notifications.db)
        _ = try store.count(records, in: number, devices: 0, notifications.db)
        try store.note(Set(records.compactMap(\.serving)), of: number, notifications.db)
        if let over = alarm.overAt { nextOver = min(nextOver ?? .max, over) }
        try carryOut(actions, number, alarm, &notifications)
    }

    /// Clears an alarm unless it is cleared, and gives it back as it then is.
    private mutating func clear(
        _ stored: AlertRouterStore.Stored, _ notifications: inout AlarmNotifications
    ) throws -> AlertRouterStore.Stored {
        guard stored.alarm.clearedAt == nil else { return stored }
        let alarm = try decide(.over(now: notifications.now), stored.number, stored.alarm, &notifications)
        let cleared = AlertRouterStore.Stored(number: stored.number, alarm: alarm)
        try store.setOver(cleared, notifications.db)
        return cleared
    }

    @discardableResult
    private mutating func decide(
        _ event: AlertRouterCore.Event, _ number: Int64, _ known: Alarm, _ notifications: inout AlarmNotifications
    ) throws -> Alarm {
        var core = AlertRouterCore(known, updateInterval: updateInterval)
        let actions = core.handle(event), alarm = core.alarm ?? known
        try store.update(AlertRouterStore.Stored(number: number, alarm: alarm), notifications.db)
        try carryOut(actions, number, alarm, &notifications)
        return alarm
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
