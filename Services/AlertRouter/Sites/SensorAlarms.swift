internal import Alarms
internal import GRDB
internal import Models

/// Alarms of sensors: raised, brought up to date and cleared as ``SensorCore`` says, and told like all others.
struct SensorAlarms {
    private let store: AlertRouterStore

    init(_ store: AlertRouterStore) { self.store = store }

    /// - Parameter time: when it was noticed, or when a delay was over.
    func carryOut(
        _ actions: [SensorCore.Action], _ state: SensorState, _ sensor: SensorDocument, at time: UnixMilliseconds,
        _ notifications: inout AlarmNotifications
    ) throws {
        for action in actions {
            switch action {
            case .raise(let what): try raise(what, state, sensor, at: time, &notifications)
            case .clear(let what): try clear(what, state, sensor, at: time, &notifications)
            }
        }
    }

    /// The sensor is gone, or is another one.
    func clearAll(
        of state: SensorState, _ sensor: SensorDocument, _ notifications: inout AlarmNotifications
    ) throws {
        for what in SensorAlarm.allCases { try clear(what, state, sensor, at: notifications.now, &notifications) }
    }

    private func raise(
        _ what: SensorAlarm, _ state: SensorState, _ sensor: SensorDocument, at time: UnixMilliseconds,
        _ notifications: inout AlarmNotifications
    ) throws {
        let key = Self.key(what, state), db = notifications.db
        let last = try store.alarm(key, db)
        if var open = last, open.alarm.clearedAt == nil {
            open.alarm.reading = Self.text(state, sensor)
            open.alarm.records += 1
            open.alarm.changedAt = max(open.alarm.changedAt, time)
            try store.update(open, db)
            return try notifications.tell(AlarmNotification(silent: open.alarm), alarm: open.number)
        }
        let problem = what.problem(sensor)
        let next = key.with(episode: try store.nextEpisode(of: key, after: last?.alarm.key.episode, db))
        var alarm = Alarm(
            id: next.id(raisedAt: time), key: next, severity: problem.severity, problem: problem, raisedAt: time,
            changedAt: time, records: 1, devices: 1, publishedAt: notifications.now, dueAt: nil)
        alarm.reading = Self.text(state, sensor)
        let number = try store.insert(alarm, db)
        if let notification = AlarmNotification(.raise, alarm) { try notifications.tell(notification, alarm: number) }
    }

    private func clear(
        _ what: SensorAlarm, _ state: SensorState, _ sensor: SensorDocument, at time: UnixMilliseconds,
        _ notifications: inout AlarmNotifications
    ) throws {
        guard var open = try store.alarm(Self.key(what, state), notifications.db), open.alarm.clearedAt == nil else {
            return
        }
        let before = open.alarm.severity
        open.alarm.reading = Self.text(state, sensor)
        (open.alarm.clearedAt, open.alarm.severity) = (time, .cleared)
        open.alarm.changedAt = max(open.alarm.changedAt, time)
        (open.alarm.publishedAt, open.alarm.dueAt) = (notifications.now, nil)
        try store.update(open, notifications.db)
        if let notification = AlarmNotification(.clear(from: before), open.alarm) {
            try notifications.tell(notification, alarm: open.number)
        }
    }

    private static func key(_ what: SensorAlarm, _ state: SensorState) -> AlarmKey {
        AlarmKey(
            rule: what.rule, owner: Scope(scheme: SensorEvent.siteScheme, number: state.site),
            subject: .number(scheme: SensorEvent.sensorScheme, state.sensor))
    }

    /// What the alarm's document says of the sensor, as JSON.
    private static func text(_ state: SensorState, _ sensor: SensorDocument) -> String {
        var text = "{\"id\":\(state.sensor),\"name\":\(JSONWriter.quoted(sensor.name))"
        if let isHigh = state.isHigh { text += ",\"state\":\"\(isHigh ? "HIGH" : "LOW")\"" }
        if let value = state.value { text += ",\"value\":\(SensorValue.text(value))" }
        if let battery = state.battery { text += ",\"battery_pct\":\(battery)" }
        text += ",\"tamper\":\(state.isTampered)"
        if let at = state.eventAt { text += ",\"at\":\"\(Timestamp.text(at))\"" }
        return text + "}"
    }
}
