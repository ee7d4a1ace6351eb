internal import AlarmRules
internal import GRDB
internal import Models

/// Alarms of rules: takes over what the windows have found, in the order of its numbers, and tells it.
///
///     windows.sqlite ─outbox─▶ raised │ worse │ cleared ─▶ alarm, messages      revised ─▶ alarm, the alarms lane alone
///
/// Each transition says how its episode is, and is taken over in one transaction with its number: once, whatever is killed.
struct FoundAlarms {
    /// Transitions taken over in one transaction at most.
    static let atOnce = 200

    private let store: AlertRouterStore
    /// Nil for simulations, which have no rules.
    var desk: TransitionDesk?
    /// The last one that was taken over, committed or not; nil until that was looked up.
    private var taken: Int64?

    init(_ store: AlertRouterStore) { self.store = store }

    /// Whether there is something to take over.
    var isDue: Bool { desk.map { taken == nil || $0.newest > taken ?? 0 } ?? false }

    /// Takes over some; true if it did anything.
    mutating func take(_ notifications: inout AlarmNotifications) throws -> Bool {
        guard let desk, isDue else { return false }
        let found = FoundAlarmsStore(notifications.db)
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
        return true
    }

    /// The transaction is committed.
    func committed() {
        if let taken { desk?.took(through: taken) }
    }

    private func take(
        _ one: FoundTransition, _ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications
    ) throws {
        guard let number = try found.alarm(one.key), let stored = try store.alarm(number: number, notifications.db)
        else { return try raise(one, found, &notifications) }
        var alarm = stored.alarm
        let before = alarm.severity
        alarm.apply(one, now: notifications.now)
        alarm.parent = try parent(of: one, child: alarm.id, found, notifications.db)
        try store.update(AlertRouterStore.Stored(number: number, alarm: alarm), notifications.db)
        let notification =
            alarm.severity == before
            ? AlarmNotification(silent: alarm)
            : AlarmNotification(alarm.clearedAt == nil ? .changeSeverity(from: before) : .clear(from: before), alarm)
        if let notification { try notifications.tell(notification, alarm: number) }
    }

    private func raise(
        _ one: FoundTransition, _ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications
    ) throws {
        let key = AlarmKey(rule: one.key.rule, owner: one.key.owner, subject: one.key.subject)
        let last = try store.alarm(key, notifications.db)?.alarm.key.episode
        let next = key.with(episode: try store.nextEpisode(of: key, after: last, notifications.db))
        let alarm = Alarm(
            id: next.id(raisedAt: one.raisedAt), key: next, severity: one.severity,
            problem: AlarmProblem(
                AlarmProblem.found, rule: one.key.rule, severity: one.severity, type: one.type, cause: one.cause,
                text: one.text, french: one.french, when: []),
            raisedAt: one.raisedAt, changedAt: one.foundAt, records: one.devices, devices: one.devices,
            publishedAt: notifications.now, dueAt: nil,
            parent: try parent(
                of: one, child: next.id(raisedAt: one.raisedAt), found, notifications.db),
            childCount: one.children)
        let number = try store.insert(alarm, notifications.db)
        try found.add(one.key, alarm: number)
        if let notification = AlarmNotification(.raise, alarm) { try notifications.tell(notification, alarm: number) }
        if one.isOver { try take(one, found, &notifications) }
    }

    /// The alarm of the storm's parent, which then names its child. It is told of that with its next revision.
    private func parent(
        of one: FoundTransition, child: String, _ found: FoundAlarmsStore, _ db: Database
    ) throws -> String? {
        guard let key = one.parentKey, let number = try found.alarm(key),
            var stored = try store.alarm(number: number, db)
        else { return nil }
        if stored.alarm.children.count < Alarm.mostNamed, !stored.alarm.children.contains(child) {
            stored.alarm.children.append(child)
            try store.update(stored, db)
        }
        return stored.alarm.id
    }

    /// What the windows of before had found is not looked at by anybody any more.
    private func endAll(_ found: FoundAlarmsStore, _ notifications: inout AlarmNotifications) throws {
        for number in try found.open() {
            guard var stored = try store.alarm(number: number, notifications.db) else { continue }
            let before = stored.alarm.severity
            stored.alarm.end(at: notifications.now, now: notifications.now)
            try store.update(stored, notifications.db)
            if let notification = AlarmNotification(.clear(from: before), stored.alarm) {
                try notifications.tell(notification, alarm: number)
            }
        }
        try found.forgetEpisodes()
    }
}

extension FoundTransition {
    var isOver: Bool { change == .cleared || change == .withdrawn || clearedAt != nil }
}

extension Alarm {
    /// Takes over how its episode is.
    fileprivate mutating func apply(_ found: FoundTransition, now: UnixMilliseconds) {
        raisedAt = found.raisedAt
        changedAt = max(changedAt, found.foundAt)
        (devices, records) = (found.devices, found.devices)
        childCount = max(childCount, found.children)
        if found.isOver {
            end(at: found.clearedAt ?? found.foundAt, now: now)
        } else if clearedAt == nil {
            if found.severity != severity { publishedAt = now }
            severity = found.severity
        }
    }

    fileprivate mutating func end(at time: UnixMilliseconds, now: UnixMilliseconds) {
        if clearedAt == nil { publishedAt = now }
        (clearedAt, severity) = (time, .cleared)
    }
}
