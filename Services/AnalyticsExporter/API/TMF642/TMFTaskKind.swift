internal import Models

/// The tasks of TMF642 that are built, and what their members are called.
enum TMFTaskKind: String, CaseIterable {
    case ackAlarms, unAckAlarms, clearAlarms, commentAlarms

    var act: AlarmCommand.Act {
        switch self {
        case .ackAlarms: .acknowledge
        case .unAckAlarms: .unacknowledge
        case .clearAlarms: .clear
        case .commentAlarms: .comment
        }
    }

    /// The alarms to which it was done.
    var done: String {
        switch self {
        case .ackAlarms: "ackedAlarm"
        case .unAckAlarms: "unAckedAlarm"
        case .clearAlarms: "clearedAlarm"
        case .commentAlarms: "commentedAlarm"
        }
    }

    /// Who did it, with which system, when; of a comment they are members of it.
    var names: (user: String, system: String, time: String) {
        switch self {
        case .ackAlarms, .unAckAlarms: ("ackUserId", "ackSystemId", "ackTime")
        case .clearAlarms: ("clearUserId", "clearSystemId", "alarmClearedTime")
        case .commentAlarms: ("userId", "systemId", "time")
        }
    }
}
