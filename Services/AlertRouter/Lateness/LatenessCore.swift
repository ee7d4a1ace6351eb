internal import Models

/// Whether the alarm that erasures are late is raised, told again or cleared.
///
/// Pure; there is one alarm however many are late, and it says how many.
///
///     nothing, cleared ──some late──▶ raised ──more, fewer──▶ told at once ──none──▶ cleared
struct LatenessCore {
    /// The alarm, once there is one; one that is cleared is followed by a new one.
    private(set) var alarm: Alarm?

    private let nextEpisode: Int64

    /// - Parameter nextEpisode: of the alarm that comes after this one.
    init(_ alarm: Alarm?, nextEpisode: Int64 = 1) {
        self.alarm = alarm
        self.nextEpisode = nextEpisode
    }

    /// - Parameter late: erasures whose time is over and that are not completed.
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
        let key = AlarmKey.lateErasures(episode: nextEpisode)
        alarm = Alarm(
            id: key.id(raisedAt: now), key: key, severity: AlarmProblem.lateErasures.severity, problem: .lateErasures,
            raisedAt: now, changedAt: now, records: late, devices: 0, publishedAt: now, dueAt: nil)
        return [.raise]
    }
}
