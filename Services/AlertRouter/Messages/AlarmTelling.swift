internal import Models

/// What subscribers are told about an alarm, and under which topics.
struct AlarmTelling: Equatable {
    /// `state` of the alarm's document, and the last word of the event's type.
    enum State: String {
        case raised, updated, cleared
    }

    let alarm: Alarm
    let state: State
    /// The severity told before; nil for a new alarm.
    let previous: Severity?

    /// What an action of the core tells; nil if it tells nothing.
    init?(_ action: AlertRouterCore.Action, _ alarm: Alarm) {
        self.alarm = alarm
        switch action {
        case .raise: (state, previous) = (.raised, nil)
        case .changeSeverity(let from): (state, previous) = (.updated, from)
        case .clear(let from): (state, previous) = (.cleared, from)
        case .update: (state, previous) = (.updated, alarm.severity)
        case .wait: return nil
        }
    }

    /// The old topic, if the severity changed, and then the new one, so that no subscriber keeps a stale alarm.
    var topics: [String] {
        guard let previous, previous != alarm.severity else { return [alarm.topic] }
        return [alarm.key.topic(previous), alarm.topic]
    }
}
