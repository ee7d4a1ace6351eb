internal import Models

/// What the router does about an alarm by itself: marks it as planned, and calls for somebody to take it.
///
///     raised ─▶ planned ─ its end ─▶ begun ─ wait ─▶ step 1 ─ wait ─▶ step 2 … the last
///          └───────────────────────────▲ │              │
///       taken back, run out, unshelved │ └──────────────┴─ acknowledged, shelved, cleared ─▶ stopped
///
/// Pure: who is called is given. The handling's version does not rise by it: a contact who acts meanwhile has overlooked nothing.
extension AlarmHandlingCore {
    /// Whom a step calls.
    struct Called: Equatable {
        var contacts: [String] = []
        var channels: [String] = []

        var isNobody: Bool { contacts.isEmpty && channels.isEmpty }

        /// For people.
        var text: String { (contacts + channels.map { "channel \($0)" }).joined(separator: ", ") }
    }

    /// Marks an alarm that comes during planned work.
    mutating func plan(_ planned: AlarmHandling.Planned) {
        handling.planned = planned
        stop()
    }

    /// Ends what was planned, or moves its end; true if that changes anything.
    mutating func replan(_ planned: AlarmHandling.Planned?) -> Bool {
        guard handling.planned != planned else { return false }
        handling.planned = planned
        return true
    }

    /// Whether nobody looks after it and it is not hidden, so that somebody is to be called.
    var needsSomebody: Bool { handling.acknowledgement == nil && !handling.isHidden }

    /// Begins an escalation, or begins it anew.
    ///
    /// - Parameter wait: of its first step.
    mutating func begin(_ policy: String, wait: UnixMilliseconds, now: UnixMilliseconds) {
        handling.escalation = .init(policy: policy, calls: handling.escalation?.calls ?? 0, nextAt: now + wait)
    }

    /// Takes the step that is due.
    ///
    /// - Parameters:
    ///   - called: whom it calls.
    ///   - wait: of the step after it; nil if it is the last. After a step that calls nobody the next is due at once.
    mutating func take(_ called: Called, wait: UnixMilliseconds?, now: UnixMilliseconds) {
        guard var escalation = handling.escalation else { return }
        escalation.step += 1
        escalation.calls += 1
        escalation.at = now
        (escalation.contacts, escalation.channels) = (called.contacts, called.channels)
        escalation.nextAt = wait.map { called.isNobody ? now : now + $0 }
        handling.escalation = escalation
    }

    /// Nobody is called any more; a call that channels have not told yet is not told.
    mutating func stop() {
        handling.escalation?.nextAt = nil
        handling.escalation?.contacts = []
        handling.escalation?.channels = []
    }
}
