internal import GRDB
internal import Models
internal import SubjectRights
internal import Wire

/// The alarm that erasures are late: follows the orders, and looks when the next one would be late.
struct LateErasures {
    private let store: AlertRouterStore
    /// When it is looked next; nil: none can become late.
    private(set) var nextLook: UnixMilliseconds? = 0

    init(_ store: AlertRouterStore) { self.store = store }

    /// Takes over the rows of a block of kind `erasure_order`.
    mutating func follow(_ columns: Columns, _ db: Database) throws {
        try OpenErasures(db).follow(columns)
        nextLook = 0
    }

    /// Raises, tells again or clears the alarm; true if it did.
    ///
    /// If the transaction fails the service ends, and memory that was ahead of the database with it.
    mutating func look(_ notifications: inout AlarmNotifications) throws -> Bool {
        let now = notifications.now, erasures = OpenErasures(notifications.db), late = try erasures.late(now)
        nextLook = try erasures.nextLate(after: now)
        return try store.settle(.lateErasures, .lateErasures(), late: late, &notifications)
    }
}

/// The alarm that little is left with the provider of rewards: follows what the dispatcher tells.
struct LowFloat {
    private let store: AlertRouterStore

    init(_ store: AlertRouterStore) { self.store = store }

    /// Raises or clears it by the last row of a block of kind `provider_state`; true if it did.
    func follow(_ columns: Columns, _ notifications: inout AlarmNotifications) throws -> Bool {
        guard let (_, state) = try columns.documents(ProviderStateDocument.self).last else { return false }
        return try store.settle(
            .lowFloat, .lowFloat(), late: state.isLow || state.isUnfunded ? 1 : 0, &notifications)
    }
}

extension AlertRouterStore {
    /// Raises, tells again or clears an alarm of what Nkul itself owes; true if it did.
    fileprivate func settle(
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
