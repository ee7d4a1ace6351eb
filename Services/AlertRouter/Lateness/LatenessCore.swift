internal import Models

/// Whether an alarm of what Nkul itself owes is raised, told again or cleared: that erasures are late, that the float is low.
///
/// Pure; there is one alarm however many are late, and it says how many.
///
///     nothing, cleared ──some late──▶ raised ──more, fewer──▶ told at once ──none──▶ cleared
struct LatenessCore {
    /// The alarm, once there is one; one that is cleared is followed by a new one.
    private(set) var alarm: Alarm?

    private let problem: AlarmProblem
    /// Of the alarm that comes after this one.
    private let nextKey: AlarmKey

    /// - Parameters:
    ///   - problem: what is owed.
    ///   - nextKey: of the alarm that comes after this one.
    init(_ alarm: Alarm?, _ problem: AlarmProblem = .lateErasures, nextKey: AlarmKey = .lateErasures()) {
        self.alarm = alarm
        self.problem = problem
        self.nextKey = nextKey
    }

    /// - Parameter late: how many erasures are overdue; of the float 1 if it is low, else 0.
    mutating func handle(late: Int64, now: UnixMilliseconds) -> [AlertRouterCore.Action] {
        guard var known = alarm, known.severity != .cleared else { return late > 0 ? raise(late, now) : [] }
        guard late != known.records else { return [] }
        let before = known.severity
        known.records = late
        if late == 0 { (known.severity, known.clearedAt) = (.cleared, now) }
        (known.changedAt, known.publishedAt) = (now, now)
        alarm = known
        return late == 0 ? [.clear(from: before)] : [.update]
    }

    private mutating func raise(_ late: Int64, _ now: UnixMilliseconds) -> [AlertRouterCore.Action] {
        alarm = Alarm(
            id: nextKey.id(raisedAt: now), key: nextKey, severity: problem.severity, problem: problem, raisedAt: now,
            changedAt: now, records: late, devices: 0, publishedAt: now, dueAt: nil)
        return [.raise]
    }
}
