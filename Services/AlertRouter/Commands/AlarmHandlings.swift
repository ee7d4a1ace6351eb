internal import Foundation
internal import GRDB
internal import Models
internal import Wire

/// Carries out what contacts want done to alarms, takes back what has run out, and calls for somebody to take them.
///
///     operations ─command─▶ decided once ─▶ handling, messages to its tenant, the alarms lane      clear ─▶ the alarm, for everybody
struct AlarmHandlings {
    /// A command that waited for longer is not carried out any more: whoever gave it has seen that it failed.
    static let patience: UnixMilliseconds = 600_000
    /// For how long it is known what became of a command.
    static let keptTasks: UnixMilliseconds = 30 * 86_400_000
    /// Nobody is reminded of what ran out longer ago: the router was away, or the clock was set.
    static let reminded: UnixMilliseconds = 600_000
    static let atOnce = 200

    let store: AlertRouterStore
    let stepped: (_ hasCalled: Bool) -> Void
    private let unreadable: (_ command: String, _ error: any Error) -> Void
    var nextExpiry: UnixMilliseconds?
    private var oldestTask: UnixMilliseconds?

    /// - Parameters:
    ///   - unreadable: told which commands were set aside, and why.
    ///   - stepped: told after each step of an escalation whether it called anybody.
    init(
        _ store: AlertRouterStore, unreadable: @escaping (_ command: String, _ error: any Error) -> Void,
        stepped: @escaping (_ hasCalled: Bool) -> Void, _ db: Database
    ) throws {
        self.store = store
        self.unreadable = unreadable
        self.stepped = stepped
        nextExpiry = try AlarmHandlingRows.nextDue(db)
        oldestTask = try AlarmHandlingRows.oldestTask(db)
    }

    /// When something runs out, or is forgotten.
    var nextDue: UnixMilliseconds? { [nextExpiry, oldestTask.map { $0 + Self.keptTasks }].compactMap(\.self).min() }

    /// Decides the commands of a block. One that cannot be read, as it is of another version or damaged, is set aside.
    mutating func decide(
        _ columns: Columns, tenants: [AlertTenant], _ book: OnCallBook, _ notifications: inout AlarmNotifications
    ) throws {
        guard let documents = columns[ColumnID.document] else { return }
        for row in 0..<columns.rowCount {
            // Without a document: it was answered.
            guard let document = documents.value(row) else { continue }
            let command: AlarmCommand
            do {
                command = try JSONDecoder().decode(AlarmCommand.self, from: Data(document))
            } catch {
                unreadable(String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self), error)
                continue
            }
            guard try AlarmHandlingRows.decide(command.task, at: notifications.now, notifications.db) else { continue }
            oldestTask = oldestTask ?? notifications.now
            var task = AlarmTask(command: command, state: .done, decidedAt: notifications.now)
            do {
                task.version = try carryOut(command, tenants, book, &notifications)
            } catch let refusal as AlarmHandlingCore.Refusal {
                (task.state, task.code, task.reason) = (.failed, refusal.code, refusal.reason)
            }
            try notifications.tell(task)
        }
        nextExpiry = try AlarmHandlingRows.nextDue(notifications.db)
    }

    /// The handling's version afterwards.
    private func carryOut(
        _ command: AlarmCommand, _ tenants: [AlertTenant], _ book: OnCallBook,
        _ notifications: inout AlarmNotifications
    ) throws -> Int64 {
        let now = notifications.now, db = notifications.db
        guard command.at > now - Self.patience else { throw AlarmHandlingCore.Refusal.late }
        guard let tenant = ([.regulator] + tenants).first(where: { $0.name == command.tenant }),
            let number = try AlarmHandlingRows.number(of: command.alarm, db),
            let stored = try store.alarm(number: number, db),
            case let serving = try AlertRouterStore.networks(serving: number, db),
            tenant.isTold(of: stored.alarm.key.owner, servedBy: serving)
        else { throw AlarmHandlingCore.Refusal.unknown }
        let known = try AlarmHandlingRows.handling(of: number, by: tenant.name, db)
        var core = AlarmHandlingCore(known ?? AlarmHandling(alarm: command.alarm, tenant: tenant.name))
        let owns = stored.alarm.key.owner.map(tenant.scopes.contains) ?? false
        let isOver = try core.apply(
            command, .init(isCleared: stored.alarm.clearedAt != nil, mayClear: tenant.isRegulator || owns), now: now)
        if let parent = core.handling.parent, known?.parent == nil {
            try adopt(core.handling.alarm, by: parent, tenant, &notifications)
        } else if let parent = known?.parent, core.handling.parent == nil {
            try release(core.handling.alarm, by: parent, tenant, &notifications)
        }
        if command.act == .unacknowledge || command.act == .unshelve { begin(&core, stored.alarm, serving, book, now) }
        try AlarmHandlingRows.put(core.handling, of: number, db)
        if isOver {
            try notifications.append(core.handling)
            try clear(stored, &notifications)
        } else {
            try notifications.tell(core.handling, of: stored.alarm, number: number)
        }
        return core.handling.version
    }

    /// An alarm is put under another, which the tenant must see and which must go on. If that has as many as it can have, those that
    /// are over make room.
    private func adopt(
        _ child: String, by parent: String, _ tenant: AlertTenant, _ notifications: inout AlarmNotifications
    ) throws {
        let db = notifications.db
        guard let number = try AlarmHandlingRows.number(of: parent, db),
            let alarm = try store.alarm(number: number, db)?.alarm, alarm.clearedAt == nil,
            tenant.isTold(of: alarm.key.owner, servedBy: try AlertRouterStore.networks(serving: number, db))
        else { throw AlarmHandlingCore.Refusal.noParent }
        let known = try AlarmHandlingRows.handling(of: number, by: tenant.name, db)
        var core = AlarmHandlingCore(known ?? AlarmHandling(alarm: parent, tenant: tenant.name))
        let children = core.isFull ? core.handling.children ?? [] : []
        try core.adopt(child, over: Set(children.filter { try !AlarmHandlingRows.isOpen($0, db) }))
        try AlarmHandlingRows.put(core.handling, of: number, db)
        try notifications.tell(core.handling, of: alarm, number: number)
    }

    /// An alarm is no longer under another, which may be gone meanwhile.
    private func release(
        _ child: String, by parent: String, _ tenant: AlertTenant, _ notifications: inout AlarmNotifications
    ) throws {
        let db = notifications.db
        guard let number = try AlarmHandlingRows.number(of: parent, db),
            let alarm = try store.alarm(number: number, db)?.alarm,
            let known = try AlarmHandlingRows.handling(of: number, by: tenant.name, db)
        else { return }
        var core = AlarmHandlingCore(known)
        guard core.release(child) else { return }
        try AlarmHandlingRows.put(core.handling, of: number, db)
        try notifications.tell(core.handling, of: alarm, number: number)
    }

    /// Ends an alarm by hand, for everybody; what comes later raises the next one.
    private func clear(
        _ stored: AlertRouterStore.Stored, _ notifications: inout AlarmNotifications
    ) throws {
        var cleared = stored
        let before = stored.alarm.severity
        (cleared.alarm.clearedAt, cleared.alarm.severity) = (notifications.now, .cleared)
        (cleared.alarm.publishedAt, cleared.alarm.dueAt) = (notifications.now, nil)
        try store.update(cleared, notifications.db)
        try store.setOver(cleared, notifications.db)
        if let notification = AlarmNotification(.clear(from: before), cleared.alarm) {
            try notifications.tell(notification, alarm: stored.number)
        }
        try AlarmRelations(store).ended(cleared.alarm, stored.number, at: notifications.now, &notifications)
    }

    /// Takes back what has run out, and takes the steps that are due; true if there was anything.
    mutating func expire(_ book: OnCallBook, _ notifications: inout AlarmNotifications) throws -> Bool {
        guard let nextDue, nextDue <= notifications.now else { return false }
        let now = notifications.now
        for stored in try AlarmHandlingRows.due(now, limit: Self.atOnce, notifications.db) {
            guard let alarm = try store.alarm(number: stored.alarm, notifications.db)?.alarm else { continue }
            let serving = try AlertRouterStore.networks(serving: stored.alarm, notifications.db)
            var core = AlarmHandlingCore(stored.handling)
            let ranOut = core.handling.ranOut(by: now), wasPlanned = core.handling.planned != nil
            let isReminded = alarm.clearedAt == nil && ranOut.map { $0 > now - Self.reminded } ?? false
            if core.expire(isReminded: isReminded, now: now) {
                let isNews = isReminded || wasPlanned && core.handling.planned == nil && alarm.clearedAt == nil
                if isNews { begin(&core, alarm, serving, book, now) }
            }
            if let due = core.handling.escalation?.nextAt, due <= now {
                try step(&core, alarm, book, &notifications)
            }
            guard core.handling != stored.handling else { continue }
            try AlarmHandlingRows.put(core.handling, of: stored.alarm, notifications.db)
            try notifications.tell(core.handling, of: alarm, number: stored.alarm)
        }
        let forgotten = try AlarmHandlingRows.forgetTasks(
            before: now - Self.keptTasks, limit: Self.atOnce, notifications.db)
        notifications.forget(tasks: forgotten)
        nextExpiry = try AlarmHandlingRows.nextDue(notifications.db)
        oldestTask = try AlarmHandlingRows.oldestTask(notifications.db)
        return true
    }

    /// Nothing is left of what tenants did that are gone.
    func forgetOthers(than tenants: [AlertTenant], _ notifications: inout AlarmNotifications) throws {
        let names = tenants.map(\.name) + [AlertTenant.regulator.name]
        notifications.forget(handlings: try AlarmHandlingRows.forgetOthers(than: names, notifications.db))
    }
}

extension AlarmHandling {
    /// When its acknowledgement or its shelving ran out, the earlier; nil if neither has.
    fileprivate func ranOut(by now: UnixMilliseconds) -> UnixMilliseconds? {
        [acknowledgement?.until, shelving?.until].compactMap(\.self).filter { $0 <= now }.min()
    }
}
