internal import Crypto
internal import GRDB
internal import Models
internal import OnCall

/// What the router does by itself: begins escalations, takes their steps, ends what was planned.
extension AlarmHandlings {
    /// Looks up anew when something is due.
    mutating func lookForDue(_ db: Database) throws { nextExpiry = try AlarmHandlingRows.nextDue(db) }

    /// Alarms that were planned by work that is another now, or is over, are so no longer.
    ///
    /// - Parameter works: as `tenant/name`.
    mutating func replan(_ works: [String], _ book: OnCallBook, _ notifications: inout AlarmNotifications) throws {
        for key in works {
            let tenant = String(key.prefix { $0 != "/" }), id = String(key.dropFirst(tenant.count + 1))
            for stored in try AlarmHandlingRows.planned(id, of: tenant, notifications.db) {
                guard let alarm = try store.alarm(number: stored.alarm, notifications.db)?.alarm else { continue }
                let serving = try AlertRouterStore.networks(serving: stored.alarm, notifications.db)
                var core = AlarmHandlingCore(stored.handling)
                guard
                    core.replan(book.planned(alarm, servedBy: serving, of: tenant, named: id, at: notifications.now))
                else { continue }
                begin(&core, alarm, serving, book, notifications.now)
                try AlarmHandlingRows.put(core.handling, of: stored.alarm, notifications.db)
                try notifications.tell(core.handling, of: alarm, number: stored.alarm)
            }
        }
        try lookForDue(notifications.db)
    }

    /// Begins the escalation that is for an alarm, if somebody is to be called.
    func begin(
        _ core: inout AlarmHandlingCore, _ alarm: Alarm, _ serving: Set<PLMN>, _ book: OnCallBook,
        _ now: UnixMilliseconds
    ) {
        guard core.needsSomebody,
            let escalation = book.escalation(for: alarm, servedBy: serving, of: core.handling.tenant)
        else { return }
        core.begin(escalation.id, wait: escalation.steps[0].wait, now: now)
    }

    /// Takes the step of an escalation that is due, and notes it as a task. One step at a time, however late: those after it wait
    /// from then on.
    func step(
        _ core: inout AlarmHandlingCore, _ alarm: Alarm, _ book: OnCallBook, _ notifications: inout AlarmNotifications
    ) throws {
        let tenant = core.handling.tenant
        guard let begun = core.handling.escalation,
            let escalation = book.escalation(named: begun.policy, of: tenant), begun.step < escalation.steps.count,
            !alarm.isSpokenFor, alarm.clearedAt == nil
        else { return core.stop() }
        let called = book.whom(escalation.steps[begun.step], of: tenant, at: notifications.now)
        let isLast = begun.step + 1 == escalation.steps.count
        core.take(called, wait: isLast ? nil : escalation.steps[begun.step + 1].wait, now: notifications.now)
        stepped(!called.isNobody)
        let command = AlarmCommand(
            task: Self.name(ofCall: begun.calls + 1, about: core.handling), alarm: alarm.id, act: .escalate,
            tenant: tenant, contact: "nkul", at: notifications.now, to: called.isNobody ? nil : called.text,
            text: "step \(begun.step + 1) of \(escalation.id)")
        guard try AlarmHandlingRows.decide(command.task, at: notifications.now, notifications.db) else { return }
        try notifications.tell(
            AlarmTask(
                command: command, state: called.isNobody ? .failed : .done, code: called.isNobody ? "nobody" : nil,
                reason: called.isNobody ? "nobody is on call" : nil, decidedAt: notifications.now,
                version: core.handling.version))
    }

    /// The same for the same call: half a SHA-256 in hexadecimal.
    private static func name(ofCall number: Int64, about handling: AlarmHandling) -> String {
        Hexadecimal.text(SHA256.hash(data: Array("\(handling.key)\u{0}\(number)".utf8)).prefix(16))
    }
}
