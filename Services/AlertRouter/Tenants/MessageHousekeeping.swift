internal import GRDB
internal import Models

/// What is done with stored messages besides telling, in parts so short that live alarms never wait long: newcomers are
/// told what they find, removed tenants are forgotten, and old messages go.
struct MessageHousekeeping {
    /// Alarms of which a newcomer is told in one part.
    static let introducedAtOnce = 200
    /// Messages of a removed tenant that go in one part.
    static let forgottenAtOnce = 2_000

    /// From the end of a run through everything to the next, and between the parts of one.
    static let interval: UnixMilliseconds = 60_000
    static let pause: UnixMilliseconds = 50

    /// When the next part is due.
    private(set) var nextRun: UnixMilliseconds = 0
    private let keep: UnixMilliseconds
    private let mostMessages: Int64
    /// Where trimming goes on: the tenant, and the number after which.
    private var trimmed: (tenant: Int64, through: Int64) = (AlertTenant.regulator.number, 0)
    private let alarms: AlertRouterStore
    private let store = TenantStore()

    init(_ alarms: AlertRouterStore, keep: UnixMilliseconds, mostMessages: Int64) {
        self.alarms = alarms
        self.keep = keep
        self.mostMessages = mostMessages
    }

    /// There are tenants to be told, or to be forgotten.
    mutating func hurry() { nextRun = 0 }

    /// Does one part, which is due.
    mutating func run(_ tenants: [AlertTenant], _ notifications: inout AlarmNotifications) throws {
        let more = try work(tenants, &notifications)
        nextRun = notifications.now + (more ? Self.pause : Self.interval)
    }

    /// True if the next part shall follow soon.
    private mutating func work(_ tenants: [AlertTenant], _ notifications: inout AlarmNotifications) throws -> Bool {
        if let newcomer = try store.newcomer(notifications.db) {
            try introduce(newcomer, &notifications)
            return true
        }
        if try store.forget(limit: Self.forgottenAtOnce, notifications.db) { return true }
        return try trim([.regulator] + tenants, notifications)
    }

    private func introduce(_ newcomer: TenantStore.Newcomer, _ notifications: inout AlarmNotifications) throws {
        let found = try alarms.alarms(
            of: newcomer.tenant, after: newcomer.after, through: newcomer.through, limit: Self.introducedAtOnce,
            notifications.db)
        for stored in found { try notifications.introduce(stored.alarm, alarm: stored.number, to: newcomer.tenant) }
        let isDone = found.count < Self.introducedAtOnce
        try store.setTold(through: isDone ? newcomer.through : found.last!.number, newcomer.tenant, notifications.db)
    }

    /// Tenants in the order of their numbers; false when the last one's turn is over.
    private mutating func trim(_ tenants: [AlertTenant], _ notifications: AlarmNotifications) throws -> Bool {
        guard let place = tenants.firstIndex(where: { $0.number >= trimmed.tenant }) else {
            trimmed = (AlertTenant.regulator.number, 0)
            return true
        }
        let tenant = tenants[place]
        let messages = AlertMessageStore(tenant: tenant, keep: keep, mostMessages: mostMessages)
        let after = tenant.number == trimmed.tenant ? trimmed.through : 0
        if let through = try messages.trim(after: after, now: notifications.now, notifications.db) {
            trimmed = (tenant.number, through)
            return true
        }
        let isLast = place == tenants.count - 1
        trimmed = isLast ? (AlertTenant.regulator.number, 0) : (tenants[place + 1].number, 0)
        return !isLast
    }
}
