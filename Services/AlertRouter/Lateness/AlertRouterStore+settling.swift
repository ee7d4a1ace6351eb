internal import GRDB
internal import Models

extension AlertRouterStore {
    /// Raises, tells again or clears an alarm of what Nkul itself owes; true if it did.
    func settle(
        _ problem: AlarmProblem, _ key: AlarmKey, late: Int64, _ notifications: inout AlarmNotifications
    ) throws -> Bool {
        let db = notifications.db, stored = try alarm(key, db)
        let next = try nextEpisode(of: key, after: stored?.alarm.key.episode, db)
        var core = LatenessCore(stored?.alarm, problem, nextKey: key.with(episode: next))
        let actions = core.handle(late: late, now: notifications.now)
        guard !actions.isEmpty, let alarm = core.alarm else { return false }
        let known = stored.flatMap { $0.alarm.key == alarm.key ? $0.number : nil }
        if let known { try update(AlertRouterStore.Stored(number: known, alarm: alarm), db) }
        let number = try known ?? insert(alarm, db)
        for notification in actions.compactMap({ AlarmNotification($0, alarm) }) {
            try notifications.tell(notification, alarm: number)
        }
        return true
    }
}
