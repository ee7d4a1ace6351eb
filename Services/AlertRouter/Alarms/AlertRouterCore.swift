public import Models

/// What becomes of one alarm: raised at once, told again when it gets worse, and otherwise not too often; cleared when it is over.
///
/// Pure. One value for one key; the caller loads it, hands it what happened and keeps the alarm.
///
///     nothing ──records──▶ raised ──worse──▶ told at once under the old severity and the new
///                            ├──more of the same──▶ told at once, or when the last telling is `updateInterval` ago
///                            └──over──▶ cleared ──records of before──▶ counted; nobody is told but the alarms lane
public struct AlertRouterCore: Sendable {
    public enum Event: Sendable {
        /// Records of this alarm's key, at least one, as many as waited; `newDevices` were not counted before.
        case records([UrgentRecord], newDevices: Int64, now: UnixMilliseconds)
        /// There has been no news for long enough.
        case over(now: UnixMilliseconds)
        /// Time has passed.
        case tick(now: UnixMilliseconds)
    }

    public enum Action: Sendable, Equatable {
        /// Tell subscribers that the alarm is new.
        case raise
        /// Tell the subscribers of the old severity and of the new.
        case changeSeverity(from: Severity)
        /// Tell subscribers the new counts.
        case update
        /// Tell the subscribers of the old severity, and those of `cleared`, that it is over.
        case clear(from: Severity)
        /// Nothing is told now; a tick is wanted then.
        case wait(until: UnixMilliseconds)
    }

    /// Least milliseconds between two updates that only count.
    public let updateInterval: UnixMilliseconds
    /// The alarm, once there is one.
    public private(set) var alarm: Alarm?
    private let episode: Int64

    /// - Parameter episode: of the alarm that records raise if there is none.
    public init(_ alarm: Alarm?, episode: Int64 = 1, updateInterval: UnixMilliseconds) {
        self.alarm = alarm
        self.episode = episode
        self.updateInterval = updateInterval
    }

    /// Takes in what happened and says what to do about it.
    public mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .records(let records, let newDevices, let now):
            guard let first = records.first else { return [] }
            guard var known = alarm else { return raise(first, records, newDevices, now) }
            let actions = count(records, newDevices, now, in: &known)
            alarm = known
            return actions
        case .over(let now): return clear(now)
        case .tick(let now):
            guard let due = alarm?.dueAt else { return [] }
            guard due <= now else { return [.wait(until: due)] }
            alarm?.tell(now)
            return [.update]
        }
    }

    private mutating func raise(
        _ first: UrgentRecord, _ records: [UrgentRecord], _ newDevices: Int64, _ now: UnixMilliseconds
    ) -> [Action] {
        let key = first.key.with(episode: episode)
        var new = Alarm(
            id: key.id(raisedAt: first.receivedAt), key: key, severity: first.problem.severity,
            problem: first.problem, raisedAt: first.receivedAt,
            changedAt: first.receivedAt, records: 0, devices: 0, publishedAt: now, dueAt: nil)
        new.count(records, newDevices)
        alarm = new
        return [.raise]
    }

    private mutating func clear(_ now: UnixMilliseconds) -> [Action] {
        guard var known = alarm, known.clearedAt == nil else { return [] }
        let before = known.severity
        known.clearedAt = known.endsAt
        known.severity = .cleared
        known.tell(now)
        alarm = known
        return [.clear(from: before)]
    }

    private func count(
        _ records: [UrgentRecord], _ newDevices: Int64, _ now: UnixMilliseconds, in alarm: inout Alarm
    ) -> [Action] {
        let before = alarm.severity
        alarm.count(records, newDevices)
        if alarm.severity != before {
            alarm.tell(now)
            return [.changeSeverity(from: before)]
        }
        // A clock that was set back must not silence an alarm.
        let elapsed = now - alarm.publishedAt
        guard elapsed < updateInterval && elapsed >= 0 else {
            alarm.tell(now)
            return [.update]
        }
        alarm.dueAt = alarm.publishedAt + updateInterval
        return [.wait(until: alarm.publishedAt + updateInterval)]
    }
}

extension Alarm {
    fileprivate mutating func count(_ new: [UrgentRecord], _ newDevices: Int64) {
        for record in new {
            if clearedAt == nil, record.problem.severity > severity {
                severity = record.problem.severity
                problem = record.problem
            }
            changedAt = max(changedAt, record.receivedAt)
        }
        records += Int64(new.count)
        devices += newDevices
    }

    fileprivate mutating func tell(_ now: UnixMilliseconds) {
        publishedAt = now
        dueAt = nil
    }
}
