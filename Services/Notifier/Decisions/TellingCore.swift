internal import Channels
internal import Models
internal import NotifierMessages

/// What a channel was told of an alarm that goes on.
struct ToldAlarm: Equatable {
    /// The severity told last.
    var severity: Severity
    /// How often its change was told.
    var changes: Int64
}

/// Decides what a channel is told of an alarm. Pure.
///
/// A channel is told of an alarm once: that it is raised, when its severity changes, and that it is over. What it was told began
/// with it ends with it, whatever its filter says meanwhile; counts alone are told to nobody.
enum TellingCore {
    enum Decision: Equatable {
        case nothing
        case raise
        /// From the severity told before; its number of the alarm's changes.
        case change(from: Severity, number: Int64)
        case clear(from: Severity)

        /// The name of the transition, the same for the same alarms in the same order.
        var transition: String {
            switch self {
            case .nothing: ""
            case .raise: "raised"
            case .change(_, let number): "changed:\(number)"
            case .clear: "cleared"
            }
        }
    }

    /// - Parameters:
    ///   - told: what the channel was told of it; nil for nothing, or that it is over.
    ///   - owned: what the channel's tenant owns; nil for a regulator.
    ///   - networks: those of the alarm, its owner's and serving ones.
    static func decide(
        _ alarm: AlarmFact, networks: Set<PLMN>, told: ToldAlarm?, _ filter: ChannelFilter, owned: Set<Scope>?
    ) -> Decision {
        if let told {
            if alarm.isCleared { return .clear(from: told.severity) }
            guard alarm.severity != told.severity else { return .nothing }
            return .change(from: told.severity, number: told.changes + 1)
        }
        // What another alarm speaks for is told by that one.
        guard !alarm.isCleared, !alarm.isSpokenFor, isSeen(alarm, networks, owned),
            filter.takes(severity: alarm.severity, rule: alarm.rule, networks: networks, place: alarm.place)
        else { return .nothing }
        return .raise
    }

    private static func isSeen(_ alarm: AlarmFact, _ networks: Set<PLMN>, _ owned: Set<Scope>?) -> Bool {
        guard let owned else { return true }
        return alarm.owner.map(owned.contains) ?? false || networks.contains { owned.contains(Scope($0)) }
    }
}
