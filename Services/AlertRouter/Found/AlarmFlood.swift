internal import GRDB
internal import Models

/// An alarm of an owner that speaks for those of its rules beyond the budget of a minute.
///
/// A minute is one of finding: of the row or the watermark that showed it. The flood is as severe as the worst alarm that it
/// speaks for, and over with the last of them.
struct AlarmFlood {
    /// The name of its rule; no rule of a document runs under it.
    static let rule = "alarms.flood"
    /// Minutes that are so much before the last one belong to clocks that were set back.
    private static let setBack: Int64 = 10

    private let store: AlertRouterStore
    private let budget: Int64

    /// - Parameter budget: alarms of one owner that are told in a minute, each for itself.
    init(_ store: AlertRouterStore, budget: Int64) {
        self.store = store
        self.budget = budget
    }

    /// The flood that an alarm lies in that is about to be raised; nil while the budget lasts.
    func join(
        _ alarm: Alarm, at time: UnixMilliseconds, _ notifications: inout AlarmNotifications
    ) throws -> FoundAlarmsStore.Flood? {
        guard let owner = alarm.key.owner, try !spend(of: owner, minute: time / 60_000, notifications.db) else {
            return nil
        }
        let key = AlarmKey(rule: Self.rule, owner: owner, subject: .cell(nil))
        let last = try store.alarm(key, notifications.db)
        guard let last, last.alarm.clearedAt == nil else {
            return try raise(key, after: last?.alarm.key.episode, for: alarm, at: time, &notifications)
        }
        var flood = last
        flood.alarm.childCount += 1
        _ = flood.alarm.name(alarm.id)
        (flood.alarm.changedAt, flood.alarm.severity) = (time, max(last.alarm.severity, alarm.severity))
        flood.alarm.devices = max(last.alarm.devices, alarm.devices)
        flood.alarm.records = flood.alarm.devices
        try keep(flood, before: last.alarm.severity, &notifications)
        return FoundAlarmsStore.Flood(number: flood.number, id: flood.alarm.id)
    }

    /// One of its alarms is worse.
    func worsen(
        _ number: Int64, to severity: Severity, at time: UnixMilliseconds, _ notifications: inout AlarmNotifications
    ) throws {
        guard var flood = try store.alarm(number: number, notifications.db), flood.alarm.clearedAt == nil,
            severity > flood.alarm.severity
        else { return }
        let before = flood.alarm.severity
        (flood.alarm.severity, flood.alarm.changedAt) = (severity, time)
        try keep(flood, before: before, &notifications)
    }

    /// One of its alarms is over: so is the flood with the last of them.
    static func childEnded(
        _ number: Int64, at time: UnixMilliseconds, _ store: AlertRouterStore, _ notifications: inout AlarmNotifications
    ) throws {
        guard try !FoundAlarmsStore(notifications.db).hasOpen(inFlood: number),
            var flood = try store.alarm(number: number, notifications.db), flood.alarm.clearedAt == nil
        else { return }
        let before = flood.alarm.severity
        flood.alarm.end(at: time, now: notifications.now)
        try store.update(flood, notifications.db)
        guard let notification = AlarmNotification(.clear(from: before), flood.alarm) else { return }
        try notifications.tell(notification, alarm: number)
    }

    /// Takes one alarm out of the budget of a minute; false if nothing is left.
    private func spend(of owner: Scope, minute: Int64, _ db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT minute, told FROM found_budgets WHERE owner_scheme = ? AND owner = ?"),
            arguments: [owner.scheme, owner.number])
        var last: Int64 = row?[0] ?? minute, told: Int64 = row?[1] ?? 0
        if minute > last || minute < last - Self.setBack { (last, told) = (minute, 0) }
        guard told < budget else { return false }
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO found_budgets (owner_scheme, owner, minute, told) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [owner.scheme, owner.number, last, told + 1])
        return true
    }

    private func raise(
        _ key: AlarmKey, after last: Int64?, for alarm: Alarm, at time: UnixMilliseconds,
        _ notifications: inout AlarmNotifications
    ) throws -> FoundAlarmsStore.Flood {
        let next = key.with(episode: try store.nextEpisode(of: key, after: last, notifications.db))
        let flood = Alarm(
            id: next.id(raisedAt: time), key: next, severity: alarm.severity,
            problem: AlarmProblem(
                AlarmProblem.found, rule: Self.rule, severity: alarm.severity, type: "qualityOfServiceAlarm",
                cause: "thresholdCrossed", text: "more than \(budget) alarms in a minute",
                french: "plus de \(budget) alarmes en une minute", when: []),
            raisedAt: time, changedAt: time, records: alarm.devices, devices: alarm.devices,
            publishedAt: notifications.now, dueAt: nil, childCount: 1, children: [alarm.id])
        let number = try store.insert(flood, notifications.db)
        if let notification = AlarmNotification(.raise, flood) { try notifications.tell(notification, alarm: number) }
        return FoundAlarmsStore.Flood(number: number, id: flood.id)
    }

    private func keep(
        _ flood: AlertRouterStore.Stored, before: Severity, _ notifications: inout AlarmNotifications
    ) throws {
        var flood = flood
        let isWorse = flood.alarm.severity != before
        if isWorse { flood.alarm.publishedAt = notifications.now }
        try store.update(flood, notifications.db)
        let notification =
            isWorse
            ? AlarmNotification(.changeSeverity(from: before), flood.alarm) : AlarmNotification(silent: flood.alarm)
        if let notification { try notifications.tell(notification, alarm: flood.number) }
    }
}
