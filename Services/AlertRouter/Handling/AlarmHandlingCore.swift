internal import Models

/// Decides what a contact may do to an alarm, and does it. Pure: the same commands in the same order give the same handling.
///
///                 acknowledge                    the acknowledgement runs out │ unacknowledge
///     nobody's ───────────────▶ acknowledged ────────────────────────────────────────────────▶ nobody's
///                                │ offer ▲ decline
///                                ▼       │
///                              offered ──┴─ accept ─▶ acknowledged by the other
///
/// Shelving, comments and ratings are beside that. Once the alarm is over only comments and ratings are taken.
struct AlarmHandlingCore {
    /// How long an acknowledgement holds that does not say.
    static let acknowledgedFor: UnixMilliseconds = 8 * 3_600_000
    /// How far ahead an acknowledgement or a shelving may run out.
    static let longest: UnixMilliseconds = 7 * 86_400_000

    /// Why a command is not carried out.
    struct Refusal: Error, Equatable {
        let code: String
        let reason: String

        static let cleared = Refusal(code: "alarm_cleared", reason: "the alarm is over")
        static let late = Refusal(
            code: "too_late", reason: "the router was away for so long that it was not carried out any more")
        static let unknown = Refusal(code: "alarm_not_found", reason: "there is no such alarm")
        static let notAcknowledged = Refusal(code: "not_acknowledged", reason: "nobody has acknowledged the alarm")
        static let notShelved = Refusal(code: "not_shelved", reason: "the alarm is not shelved")
        static let foreign = Refusal(
            code: "not_the_owner",
            reason: "only a regulator, or whoever owns the network or site that the alarm is about, may clear it")
        static let tooManyComments = Refusal(
            code: "too_many_comments", reason: "the alarm has \(AlarmHandling.mostComments) comments")

        static let noParent = Refusal(
            code: "parent_not_found", reason: "there is no such alarm to put it under, or it is over")
        static let ownParent = Refusal(code: "bad_parent", reason: "parent: an alarm is not put under itself")
        static let hasChildren = Refusal(
            code: "has_children", reason: "others are put under the alarm: groups are flat")
        static let notGrouped = Refusal(
            code: "not_grouped", reason: "the alarm is not put under another, or not under that")
        static let tooManyChildren = Refusal(
            code: "too_many_children", reason: "\(AlarmHandling.mostChildren) alarms are put under that one")

        static func grouped(under parent: String) -> Refusal {
            Refusal(code: "grouped", reason: "the alarm is put under \(parent) already")
        }

        static func isChild(_ parent: String) -> Refusal {
            Refusal(code: "parent_is_child", reason: "that alarm is itself put under \(parent): groups are flat")
        }

        static func version(_ is: Int64) -> Refusal {
            Refusal(code: "version_changed", reason: "somebody else was quicker: the alarm is at version \(`is`)")
        }

        static func offered(to: String?) -> Refusal {
            Refusal(
                code: "not_offered",
                reason: to.map { "the alarm is offered to \($0)" } ?? "the alarm is offered to nobody")
        }

        static func owned(by: String) -> Refusal {
            Refusal(code: "somebody_else_s", reason: "\(by) has the alarm; it can be handed over")
        }

        static func field(_ name: String, _ reason: String) -> Refusal {
            Refusal(code: "bad_\(name)", reason: "\(name): \(reason)")
        }
    }

    /// What the alarm is, as far as that matters here.
    struct Standing {
        let isCleared: Bool
        /// Whether the tenant may end it.
        let mayClear: Bool
    }

    var handling: AlarmHandling

    init(_ handling: AlarmHandling) { self.handling = handling }

    /// Carries a command out.
    ///
    /// - Returns: true if the alarm is to be cleared.
    /// - Throws: ``Refusal``; then nothing has changed.
    mutating func apply(_ command: AlarmCommand, _ standing: Standing, now: UnixMilliseconds) throws(Refusal) -> Bool {
        if let seen = command.version, seen != handling.version { throw .version(handling.version) }
        if standing.isCleared, command.act != .comment, command.act != .rate { throw .cleared }
        switch command.act {
        case .acknowledge: try acknowledge(command, now)
        case .unacknowledge: try unacknowledge(command)
        case .offer: try offer(command, now)
        case .accept: try accept(command, now)
        case .decline: try decline(command)
        case .comment: try comment(command, now)
        case .group: try group(command)
        case .ungroup:
            guard let parent = handling.parent, command.parent == nil || command.parent == parent else {
                throw .notGrouped
            }
            handling.parent = nil
        case .shelve: try shelve(command, now)
        case .unshelve:
            guard handling.shelving != nil else { throw .notShelved }
            handling.shelving = nil
        case .clear:
            guard standing.mayClear else { throw .foreign }
            handling.clearing = .init(contact: command.contact, system: command.system, at: now)
            if !end() { handling.version += 1 }
            return true
        case .rate:
            guard let isUseful = command.isUseful else { throw .field("useful", "true or false") }
            handling.usefulness[command.contact] = isUseful
        case .escalate: throw .field("act", "the router alone calls")
        }
        handling.version += 1
        return false
    }

    /// Takes back what has run out; true if anything had. The version rises if an acknowledgement or a shelving had: that planned
    /// work is over overlooks nothing.
    ///
    /// - Parameter isReminded: whether channels are to tell the alarm again.
    mutating func expire(isReminded: Bool, now: UnixMilliseconds) -> Bool {
        var hasRunOut = false, hasChanged = false
        if let until = handling.acknowledgement?.until, until <= now {
            (handling.acknowledgement, handling.owner, handling.offer) = (nil, nil, nil)
            hasRunOut = true
        }
        if let shelving = handling.shelving, shelving.until <= now {
            handling.shelving = nil
            hasRunOut = true
        }
        if let until = handling.planned?.until, until <= now {
            handling.planned = nil
            hasChanged = true
        }
        guard hasRunOut else { return hasChanged }
        handling.version += 1
        if isReminded { handling.reminders += 1 }
        return true
    }

    /// The alarm is over: what was still open about it is, too. True if anything was.
    mutating func end() -> Bool {
        let before = handling
        // Who had it stays to be seen; it does not run out any more.
        handling.acknowledgement?.until = nil
        // That it came during planned work stays to be seen, too.
        handling.planned?.until = nil
        (handling.offer, handling.shelving) = (nil, nil)
        stop()
        guard handling != before else { return false }
        handling.version += 1
        return true
    }
}

extension AlarmHandlingCore {
    private mutating func acknowledge(_ command: AlarmCommand, _ now: UnixMilliseconds) throws(Refusal) {
        if let owner = handling.owner, owner != command.contact { throw .owned(by: owner) }
        let until = try Self.end(command, otherwise: now + Self.acknowledgedFor, now)
        handling.acknowledgement = .init(contact: command.contact, system: command.system, at: now, until: until)
        handling.owner = command.contact
        stop()
    }

    private mutating func unacknowledge(_ command: AlarmCommand) throws(Refusal) {
        guard handling.acknowledgement != nil else { throw .notAcknowledged }
        (handling.acknowledgement, handling.owner, handling.offer) = (nil, nil, nil)
    }

    private mutating func offer(_ command: AlarmCommand, _ now: UnixMilliseconds) throws(Refusal) {
        guard let to = command.to, !to.isEmpty else { throw .field("to", "name a contact") }
        guard to != command.contact else { throw .field("to", "that is who offers it") }
        if let owner = handling.owner, owner != command.contact { throw .owned(by: owner) }
        handling.offer = .init(from: command.contact, to: to, note: command.text, at: now)
    }

    private mutating func accept(_ command: AlarmCommand, _ now: UnixMilliseconds) throws(Refusal) {
        guard let offer = handling.offer, offer.to == command.contact else {
            throw .offered(to: handling.offer?.to)
        }
        let until = try Self.end(command, otherwise: now + Self.acknowledgedFor, now)
        handling.offer = nil
        handling.acknowledgement = .init(contact: command.contact, system: command.system, at: now, until: until)
        handling.owner = command.contact
        stop()
    }

    /// By whom it is offered to, or who offered it.
    private mutating func decline(_ command: AlarmCommand) throws(Refusal) {
        guard let offer = handling.offer, [offer.to, offer.from].contains(command.contact) else {
            throw .offered(to: handling.offer?.to)
        }
        handling.offer = nil
    }

    private mutating func comment(_ command: AlarmCommand, _ now: UnixMilliseconds) throws(Refusal) {
        guard let text = command.text, !text.isEmpty else { throw .field("comment", "at least one character") }
        guard handling.comments.count < AlarmHandling.mostComments else { throw .tooManyComments }
        handling.comments.append(.init(contact: command.contact, system: command.system, at: now, text: text))
    }

    private mutating func shelve(_ command: AlarmCommand, _ now: UnixMilliseconds) throws(Refusal) {
        guard let reason = command.text, !reason.isEmpty else { throw .field("reason", "at least one character") }
        guard command.until != nil else { throw .field("until", "say until when") }
        handling.shelving = .init(
            contact: command.contact, reason: reason, at: now, until: try Self.end(command, otherwise: now, now))
        stop()
    }

    private static func end(
        _ command: AlarmCommand, otherwise: UnixMilliseconds, _ now: UnixMilliseconds
    ) throws(Refusal) -> UnixMilliseconds {
        guard let until = command.until else { return otherwise }
        guard until > now, until <= now + longest else {
            throw .field("until", "a time after now and within 7 days")
        }
        return until
    }
}

/// Groups by hand: an alarm is put under another of the same tenant's list, which tells so, too.
extension AlarmHandlingCore {
    private mutating func group(_ command: AlarmCommand) throws(Refusal) {
        guard let parent = command.parent else { throw .field("parent", "name an alarm") }
        guard parent != handling.alarm else { throw .ownParent }
        if let known = handling.parent { throw .grouped(under: known) }
        guard (handling.children ?? []).isEmpty else { throw .hasChildren }
        handling.parent = parent
    }

    var isFull: Bool { handling.children?.count ?? 0 >= AlarmHandling.mostChildren }

    /// Of the parent: another alarm is put under it.
    ///
    /// - Parameter over: those of its children that make room for it.
    mutating func adopt(_ child: String, over: Set<String> = []) throws(Refusal) {
        if let parent = handling.parent { throw .isChild(parent) }
        let children = (handling.children ?? []).filter { !over.contains($0) }
        guard children.count < AlarmHandling.mostChildren else { throw .tooManyChildren }
        handling.children = children.filter { $0 != child } + [child]
        handling.version += 1
    }

    /// Of the parent: an alarm is no longer under it. True if it was.
    mutating func release(_ child: String) -> Bool {
        guard let children = handling.children, children.contains(child) else { return false }
        handling.children = children.filter { $0 != child }
        handling.version += 1
        return true
    }
}
