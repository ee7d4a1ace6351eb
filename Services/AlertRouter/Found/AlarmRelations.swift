internal import GRDB
internal import Models

/// Causes speak for their symptoms: while an outage is open, alarms of quality of the same owner in its cell are its symptoms.
///
///     raised in an outage ─▶ suppressed ──the outage is over──▶ waits as long as its rule does before it clears ──▶ told on its own
///
/// Of several outages the one with the greatest cell is the cause, which is the parent where there is a storm.
struct AlarmRelations {
    /// `probableCause` of an outage.
    private static let outage = "lossOfSignal"
    /// `probableCause` of what an outage explains.
    private static let symptoms: Set<String> = [
        "bandwidthReduced", "congestion", "performanceDegraded", "responseTimeExcessive", "retransmissionRateExcessive",
    ]

    private let store: AlertRouterStore

    init(_ store: AlertRouterStore) { self.store = store }

    /// The outage that speaks for an alarm of a rule; nil if none does.
    func cause(of alarm: Alarm, _ db: Database) throws -> String? {
        guard alarm.problem.number == AlarmProblem.found, Self.symptoms.contains(alarm.problem.cause),
            case .cell(let cell) = alarm.key.subject, let owner = alarm.key.owner
        else { return nil }
        let text = cell?.text ?? ""
        let cells = (0...text.count).map { String(text.prefix($0)) }
        return try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM alarms WHERE owner_scheme = ? AND owner = ? AND cause = '\(Self.outage)' AND scheme = ?
                        AND cleared_at IS NULL AND subject IN (\(cells.map { _ in "?" }.joined(separator: ", ")))
                    ORDER BY length(subject), number LIMIT 1
                    """),
            arguments: [owner.scheme, owner.number, alarm.key.subject.scheme] + StatementArguments(cells))
    }

    /// An alarm is raised: if it is an outage, the alarms of quality in its cell are its symptoms from now on.
    func raised(
        _ alarm: Alarm, at time: UnixMilliseconds, _ notifications: inout AlarmNotifications
    ) throws {
        guard alarm.problem.number == AlarmProblem.found, alarm.problem.cause == Self.outage,
            case .cell(let cell) = alarm.key.subject, let owner = alarm.key.owner
        else { return }
        let text = cell?.text ?? "", causes = Self.symptoms.sorted().map { "'\($0)'" }.joined(separator: ", ")
        // The digits of a quadkey end with 3.
        let inside = try Int64.fetchAll(
            notifications.db.cachedStatement(
                sql: """
                    SELECT number FROM alarms WHERE owner_scheme = ? AND owner = ? AND cause IN (\(causes)) AND scheme = ?
                        AND cleared_at IS NULL AND subject >= ? AND subject < ? ORDER BY number
                    """),
            arguments: [owner.scheme, owner.number, alarm.key.subject.scheme, text, text + "4"])
        for number in inside { try judge(number, at: time, &notifications) }
    }

    /// An alarm is over, whoever ended it.
    func ended(
        _ alarm: Alarm, _ number: Int64, at time: UnixMilliseconds, _ notifications: inout AlarmNotifications
    ) throws {
        let found = FoundAlarmsStore(notifications.db), flood = try found.standing(number).flood
        try found.end(number)
        for symptom in try found.symptoms(of: alarm.id) { try judge(symptom, at: time, &notifications) }
        try found.endFlood(number)
        for child in try found.children(of: alarm.id) { try free(child, &notifications) }
        if let flood { try AlarmFlood.childEnded(flood.number, at: time, store, &notifications) }
    }

    /// Tells an alarm on its own that was hidden by a cause.
    func release(_ number: Int64, _ notifications: inout AlarmNotifications) throws {
        let found = FoundAlarmsStore(notifications.db)
        try found.setTold(due: nil, number)
        guard var stored = try store.alarm(number: number, notifications.db), stored.alarm.clearedAt == nil else {
            return
        }
        stored.alarm.suppressedBy = nil
        try found.setCause(nil, number)
        try tellFreed(stored, &notifications)
    }

    /// Tells an alarm on its own whose parent is over. One that lies in a flood, too, is that one's from now on.
    private func free(_ number: Int64, _ notifications: inout AlarmNotifications) throws {
        guard var stored = try store.alarm(number: number, notifications.db) else { return }
        stored.alarm.parent = try FoundAlarmsStore(notifications.db).standing(number).flood?.id
        try tellFreed(stored, &notifications)
    }

    /// The alarms lane alone is told of an alarm that something else still speaks for.
    private func tellFreed(
        _ freed: AlertRouterStore.Stored, _ notifications: inout AlarmNotifications
    ) throws {
        var stored = freed
        stored.alarm.publishedAt = notifications.now
        try store.update(stored, notifications.db)
        let notification =
            stored.alarm.isSpokenFor
            ? AlarmNotification(silent: stored.alarm) : AlarmNotification(.update, stored.alarm)
        if let notification { try notifications.tell(notification, alarm: stored.number) }
    }

    /// Looks for the cause of an alarm anew. The alarms lane alone is told of another one.
    private func judge(
        _ number: Int64, at time: UnixMilliseconds, _ notifications: inout AlarmNotifications
    ) throws {
        let found = FoundAlarmsStore(notifications.db)
        guard var stored = try store.alarm(number: number, notifications.db), stored.alarm.clearedAt == nil else {
            return
        }
        let standing = try found.standing(number)
        if let cause = try cause(of: stored.alarm, notifications.db) {
            if standing.toldDue != nil { try found.setTold(due: nil, number) }
            guard cause != stored.alarm.suppressedBy else { return }
            stored.alarm.suppressedBy = cause
            try found.setCause(cause, number)
            try notifications.tell(AlarmNotification(silent: stored.alarm), alarm: number)
        } else if stored.alarm.suppressedBy != nil, standing.toldDue == nil {
            try found.setTold(due: time + standing.holdClear, number)
        }
    }
}
