internal import Channels
internal import Models
internal import NotifierMessages

/// What a channel was told of an alarm that goes on.
struct ToldAlarm: Equatable {
    /// The severity told last.
    var severity: Severity
    /// How often its change was told.
    var changes: Int64 = 0
    /// Of the reminders, and of the calls of an escalation, those that were told or passed over.
    var reminders: Int64 = 0
    var calls: Int64 = 0
    /// When the last offer was made that was told; 0 for none.
    var offers: UnixMilliseconds = 0
}

/// Decides what a channel is told of an alarm. Pure.
///
/// A channel is told of an alarm once: that it is raised, when its severity changes, and that it is over. What it was told began
/// with it ends with it, whatever its filter says meanwhile; counts alone are told to nobody. While somebody has acknowledged the alarm
/// it is told only if it gets worse or is offered to the contact whose channel it is, and not at all while it is shelved or planned. Alertmanager is told how things stand rather than
/// what happens: what is acknowledged goes on firing, what is shelved or planned does not fire.
enum TellingCore {
    enum Decision: Equatable {
        case nothing
        case raise
        /// From the severity told before; its number of the alarm's changes.
        case change(from: Severity, number: Int64)
        /// An acknowledgement or a shelving has run out.
        case remind(number: Int64)
        /// A step of an escalation calls the channel, or the contact whose channel it is.
        case call(number: Int64)
        /// It is offered to the contact whose channel it is: since when.
        case offer(at: UnixMilliseconds)
        /// Of Alertmanager: it does not fire any more, although it goes on. By the version of the handling.
        case hide(from: Severity, version: Int64)
        case clear(from: Severity)

        /// The name of the transition, the same for the same alarms in the same order.
        var transition: String {
            switch self {
            case .nothing: ""
            case .raise: "raised"
            case .change(_, let number): "changed:\(number)"
            case .remind(let number): "reminded:\(number)"
            case .call(let number): "escalated:\(number)"
            case .offer(let at): "offered:\(at)"
            case .hide(_, let version): "shelved:\(version)"
            case .clear: "cleared"
            }
        }
    }

    /// - Parameters:
    ///   - told: what the channel was told of it; nil for nothing, or that it is over.
    ///   - care: what the contacts of the channel's tenant make of it.
    ///   - owned: what the channel's tenant owns; nil for a regulator.
    ///   - networks: those of the alarm, its owner's and serving ones.
    static func decide(
        _ alarm: AlarmFact, networks: Set<PLMN>, told: ToldAlarm?, _ care: AlarmCare, _ channel: Channel,
        owned: Set<Scope>?
    ) -> Decision {
        if alarm.isCleared { return told.map { .clear(from: $0.severity) } ?? .nothing }
        let firesOn = channel.kind.firesOn
        if care.isHidden {
            guard firesOn, let told else { return .nothing }
            return .hide(from: told.severity, version: care.version)
        }
        // What another alarm speaks for is told by that one.
        let isNews =
            told == nil && channel.tells == .all && !alarm.isSpokenFor && (firesOn || !care.isAcknowledged)
            && isSeen(alarm, networks, owned)
            && channel.filter.takes(
                severity: alarm.severity, rule: alarm.rule, networks: networks, place: alarm.place)
        if isNews { return .raise }
        if let call = care.call, call.number > told?.calls ?? 0, !care.isAcknowledged, isSeen(alarm, networks, owned),
            call.channels.contains(channel.id) || channel.contact.map(call.contacts.contains) ?? false
        {
            return .call(number: call.number)
        }
        if let offer = care.offer, offer.at > told?.offers ?? 0, offer.to == channel.contact, !firesOn,
            isSeen(alarm, networks, owned)
        {
            return .offer(at: offer.at)
        }
        guard let told else { return .nothing }
        if care.isAcknowledged, !firesOn, alarm.severity <= told.severity { return .nothing }
        if alarm.severity != told.severity { return .change(from: told.severity, number: told.changes + 1) }
        guard care.reminders > told.reminders, !firesOn, channel.tells == .all else { return .nothing }
        return .remind(number: care.reminders)
    }

    private static func isSeen(_ alarm: AlarmFact, _ networks: Set<PLMN>, _ owned: Set<Scope>?) -> Bool {
        guard let owned else { return true }
        return alarm.owner.map(owned.contains) ?? false || networks.contains { owned.contains(Scope($0)) }
    }
}

extension Channel.Kind {
    /// Whether it is told again and again how an alarm stands.
    var firesOn: Bool { if case .alertmanager = self { true } else { false } }
}
