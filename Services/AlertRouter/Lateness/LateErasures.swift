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
        let now = notifications.now, erasures = OpenErasures(notifications.db), late = try erasures.late(now)
        nextLook = try erasures.nextLate(after: now)
        return try store.settle(.lateErasures, .lateErasures(), late: late, &notifications)
    }
}
