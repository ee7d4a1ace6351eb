internal import GRDB
internal import Models
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
        let db = notifications.db, now = notifications.now, erasures = OpenErasures(db)
        let stored = try store.alarm(.lateErasures(), db)
        let next = try store.nextEpisode(of: .lateErasures(), after: stored?.alarm.key.episode, db)
        var core = LatenessCore(stored?.alarm, nextEpisode: next)
        let actions = try core.handle(late: erasures.late(now), now: now)
        nextLook = try erasures.nextLate(after: now)
        guard !actions.isEmpty, let alarm = core.alarm else { return false }
        let known = stored.flatMap { $0.alarm.key == alarm.key ? $0.number : nil }
        if let known { try store.update(AlertRouterStore.Stored(number: known, alarm: alarm), db) }
        let number = try known ?? store.insert(alarm, db)
        for notification in actions.compactMap({ AlarmNotification($0, alarm) }) {
            try notifications.tell(notification, alarm: number)
        }
        return true
    }
}
