internal import AlarmRules
internal import GRDB
internal import Models

/// Alarms of rules: takes over what the windows have found, in the order of its numbers, and tells it.
///
///     windows.sqlite ─outbox─▶ raised │ worse │ cleared ─▶ alarm, messages      revised ─▶ alarm, the alarms lane alone
///
/// Each transition says how its episode is, and is taken over in one transaction with its number: once, whatever is killed.
/// What alarms are to each other follows from the transitions and from the rules' watermark alone.
struct FoundAlarms {
    /// Transitions taken over, and alarms looked at again, in one transaction at most.
    static let atOnce = 200
    /// The third alarm of a key that is raised within so long stays open until it was quiet for as long.
    static let flapping: UnixMilliseconds = 3_600_000

    private let store: AlertRouterStore
    private let relations: AlarmRelations
    private let flood: AlarmFlood
    private let held: (_ reason: AlarmHold, _ alarms: Int) -> Void
    /// Nil where no rules run.
    var desk: TransitionDesk?
    /// The last one that was taken over, committed or not; nil until that was looked up.
    private var taken: Int64?
    /// The watermark at which an alarm is looked at again.
    private var nextLook: UnixMilliseconds?
    private var holds: [AlarmHold: Int] = [:]

    /// - Parameters:
    ///   - budget: alarms of one owner that are told in a minute, each for itself.
    ///   - held: told after a commit how many alarms others speak for, or that stay open, and why.
    init(
        _ store: AlertRouterStore, budget: Int64, held: @escaping (_ reason: AlarmHold, _ alarms: Int) -> Void,
        _ db: Database
    ) throws {
        self.store = store
        self.held = held
        relations = AlarmRelations(store)
        flood = AlarmFlood(store, budget: budget)
        nextLook = try FoundAlarmsStore(db).nextLook()
    }

    /// Whether there is something to take over, or to look at again.
    var isDue: Bool {
        guard let desk else { return false }
        if taken == nil || desk.newest > taken ?? 0 { return true }
        guard let nextLook, let reached = desk.reached else { return false }
        return nextLook <= reached
    }

    /// Takes over some; true if it did anything.
    mutating func take(_ notifications: inout AlarmNotifications) throws -> Bool {
        guard let desk, isDue else { return false }
        let found = FoundAlarmsStore(notifications.db)
        // Before the transitions: those up to this moment are among them.
        let reached = desk.reached
        let last = try found.taken()
        if last?.life != desk.life {
            try endAll(found, &notifications)
            try found.take(through: 0, of: desk.life)
        }
        let known = last?.life == desk.life ? last?.number ?? 0 : 0
        let transitions = try desk.after(known, limit: Self.atOnce)
        for one in transitions { try take(one, found, &notifications) }
        // Numbers of earlier lives are nobody's.
        let through = transitions.count < Self.atOnce ? max(desk.newest, transitions.last?.number ?? known) : nil
        taken = through ?? transitions.last!.number
        if taken != known { try found.take(through: taken!, of: desk.life) }
        if let reached, through != nil { try look(at: reached, found, &notifications) }
        try refresh(notifications.db)
        return true
    }

    /// Looks up when an alarm is looked at again: another part may have changed that.
    mutating func refresh(_ db: Database) throws { nextLook = try FoundAlarmsStore(db).nextLook() }

    /// The transaction is committed.
    mutating func committed() {
        if let taken { desk?.took(through: taken) }
        for (reason, count) in holds { held(reason, count) }
        holds = [:]
    }

    private mutating func take(
        _ one: FoundTransition, _ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications
    ) throws {
        guard let number = try found.alarm(one.key), let before = try store.alarm(number: number, notifications.db)
        else { return try raise(one, found, &notifications) }
        var stored = before
        let standing = try found.standing(number)
        if before.alarm.isFlapping {
            let isLatest = try found.isLatest(one.key, of: number)
            stored.alarm.applyFlapping(one, isLatest: isLatest)
            if one.change == .withdrawn {
                stored.alarm.end(at: one.clearedAt ?? one.foundAt, now: notifications.now)
            } else if isLatest, before.alarm.clearedAt == nil {
                let quietAt = one.isOver ? one.clearedAt ?? one.foundAt : nil
                try found.setQuiet(since: quietAt, due: quietAt.map { $0 + Self.flapping + one.lateness }, number)
            }
        } else {
            stored.alarm.apply(one, now: notifications.now)
        }
        let parent = try parent(of: one, child: before.alarm.id, of: before.alarm.parent, found, notifications.db)
        stored.alarm.parent = parent ?? standing.flood?.id
        try nameChildren(of: one, in: &stored.alarm, found, notifications.db)
        try keep(stored, after: before.alarm, at: one.foundAt, &notifications)
        if let flood = standing.flood, stored.alarm.severity > before.alarm.severity {
            try self.flood.worsen(flood.number, to: stored.alarm.severity, at: one.foundAt, &notifications)
        }
    }

    /// Writes an alarm and tells what became of it.
    private func keep(
        _ stored: AlertRouterStore.Stored, after before: Alarm, at time: UnixMilliseconds,
        _ notifications: inout AlarmNotifications
    ) throws {
        let alarm = stored.alarm
        try store.update(stored, notifications.db)
        let action: AlertRouterCore.Action =
            alarm.clearedAt == nil ? .changeSeverity(from: before.severity) : .clear(from: before.severity)
        let notification =
            alarm.severity == before.severity
            ? AlarmNotification(silent: alarm) : AlarmNotification(action, alarm)
        if let notification { try notifications.tell(notification, alarm: stored.number) }
        guard before.clearedAt == nil, alarm.clearedAt != nil else { return }
        try relations.ended(alarm, stored.number, at: time, &notifications)
    }

    private mutating func raise(
        _ one: FoundTransition, _ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications
    ) throws {
        let key = AlarmKey(rule: one.key.rule, owner: one.key.owner, subject: one.key.subject)
        let last = try store.alarm(key, notifications.db)
        if let last, try join(one, last, found, &notifications) { return }
        let next = key.with(
            episode: try store.nextEpisode(of: key, after: last?.alarm.key.episode, notifications.db))
        var alarm = Alarm(
            id: next.id(raisedAt: one.raisedAt), key: next, severity: one.severity,
            problem: AlarmProblem(
                AlarmProblem.found, rule: one.key.rule, severity: one.severity, type: one.type, cause: one.cause,
                text: one.text, french: one.french, when: []),
            raisedAt: one.raisedAt, changedAt: one.foundAt, records: one.devices, devices: one.devices,
            publishedAt: notifications.now, dueAt: nil, childCount: one.children)
        alarm.parent = try parent(of: one, child: alarm.id, of: nil, found, notifications.db)
        alarm.suppressedBy = try relations.cause(of: alarm, notifications.db)
        alarm.isFlapping = try found.isFlapping(key, raisedAt: one.raisedAt, within: Self.flapping)
        try nameChildren(of: one, in: &alarm, found, notifications.db)
        let isHeld = alarm.parent != nil || alarm.suppressedBy != nil
        let flood = isHeld ? nil : try self.flood.join(alarm, at: one.foundAt, &notifications)
        alarm.parent = alarm.parent ?? flood?.id
        let number = try store.insert(alarm, notifications.db)
        try found.add(one.key, alarm: number)
        try found.add(
            FoundAlarmsStore.Standing(holdClear: one.holdClear, lateness: one.lateness, flood: flood), of: alarm,
            number)
        if alarm.suppressedBy != nil { holds[.suppressed, default: 0] += 1 }
        if alarm.isFlapping { holds[.flapping, default: 0] += 1 }
        if flood != nil { holds[.flood, default: 0] += 1 }
        if let notification = AlarmNotification(.raise, alarm) { try notifications.tell(notification, alarm: number) }
        try relations.raised(alarm, at: one.foundAt, &notifications)
        if one.isOver { try take(one, found, &notifications) }
    }

    /// Takes an episode as one more of an alarm that flaps; false if that is over.
    private mutating func join(
        _ one: FoundTransition, _ last: AlertRouterStore.Stored, _ found: FoundAlarmsStore,
        _ notifications: inout AlarmNotifications
    ) throws -> Bool {
        guard last.alarm.isFlapping, last.alarm.clearedAt == nil else { return false }
        if let quietAt = try found.standing(last.number).quietAt, one.raisedAt > quietAt + Self.flapping {
            try end(last, at: quietAt + Self.flapping, foundAt: one.foundAt, &notifications)
            return false
        }
        try found.add(one.key, alarm: last.number)
        try take(one, found, &notifications)
        return true
    }

    /// Ends what flapped and was quiet for long enough, and tells what its cause hides no longer.
    private func look(
        at reached: UnixMilliseconds, _ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications
    ) throws {
        for (number, quietAt) in try found.quiet(by: reached, limit: Self.atOnce) {
            guard let stored = try store.alarm(number: number, notifications.db) else { continue }
            try end(stored, at: quietAt + Self.flapping, foundAt: reached, &notifications)
        }
        for number in try found.untold(by: reached, limit: Self.atOnce) {
            try relations.release(number, &notifications)
        }
    }

    private func end(
        _ stored: AlertRouterStore.Stored, at time: UnixMilliseconds, foundAt: UnixMilliseconds,
        _ notifications: inout AlarmNotifications
    ) throws {
        var ended = stored
        ended.alarm.end(at: time, now: notifications.now)
        try keep(ended, after: stored.alarm, at: foundAt, &notifications)
    }

    /// The alarm of the storm's parent, which then names its child. It is told of that with its next revision. One that somebody
    /// has ended is the parent of those alone that were over before.
    ///
    /// - Parameter known: the parent that the alarm has.
    private func parent(
        of one: FoundTransition, child: String, of known: String?, _ found: FoundAlarmsStore, _ db: Database
    ) throws -> String? {
        guard let key = one.parentKey, let number = try found.alarm(key),
            var stored = try store.alarm(number: number, db),
            stored.alarm.clearedAt == nil || stored.alarm.id == known
        else { return nil }
        if stored.alarm.name(child) { try store.update(stored, db) }
        return stored.alarm.id
    }

    /// A parent names from its beginning the children that raised it.
    private func nameChildren(
        of one: FoundTransition, in alarm: inout Alarm, _ found: FoundAlarmsStore, _ db: Database
    ) throws {
        for key in one.namedKeys {
            guard let number = try found.alarm(key), let child = try AlertRouterStore.id(of: number, db) else {
                continue
            }
            _ = alarm.name(child)
        }
    }

    /// What the windows of before had found is not looked at by anybody any more.
    private func endAll(_ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications) throws {
        for number in try found.open() {
            guard let stored = try store.alarm(number: number, notifications.db) else { continue }
            try end(stored, at: notifications.now, foundAt: notifications.now, &notifications)
        }
        try found.forgetEpisodes()
    }
}

/// Why another alarm speaks for one, or why it stays open; the value of `reason` of the metric that counts them.
public enum AlarmHold: String, Sendable, CaseIterable {
    case suppressed, flood, flapping
}

extension FoundTransition {
    var isOver: Bool { change == .cleared || change == .withdrawn || clearedAt != nil }
}

extension Alarm {
    /// Takes over how its episode is.
    fileprivate mutating func apply(_ found: FoundTransition, now: UnixMilliseconds) {
        raisedAt = found.raisedAt
        changedAt = max(changedAt, found.foundAt)
        // An episode that rows ahead of the watermark raised counts nobody when its rule goes.
        if found.change != .withdrawn { (devices, records) = (found.devices, found.devices) }
        childCount = max(childCount, found.children)
        if found.isOver {
            end(at: found.clearedAt ?? found.foundAt, now: now)
        } else if clearedAt == nil {
            if found.severity != severity { publishedAt = now }
            severity = found.severity
        }
    }

    /// Takes over how one of its episodes is: it flaps, and stays open.
    fileprivate mutating func applyFlapping(_ found: FoundTransition, isLatest: Bool) {
        raisedAt = min(raisedAt, found.raisedAt)
        changedAt = max(changedAt, found.foundAt)
        devices = max(devices, found.devices)
        (records, childCount) = (devices, max(childCount, found.children))
        if isLatest, clearedAt == nil, !found.isOver { severity = max(severity, found.severity) }
    }

    /// Ends it, unless somebody has.
    mutating func end(at time: UnixMilliseconds, now: UnixMilliseconds) {
        guard clearedAt == nil else { return }
        (clearedAt, severity, publishedAt) = (time, .cleared, now)
    }

    /// Notes a child; false if it is known, or one too many.
    mutating func name(_ child: String) -> Bool {
        guard children.count < Self.mostNamed, !children.contains(child) else { return false }
        children.append(child)
        return true
    }
}
