internal import Models

/// The tasks of TMF642 that are built, and what their members are called.
enum TMFTaskKind: String, CaseIterable {
    case ackAlarms, unAckAlarms, clearAlarms, commentAlarms, groupAlarms, unGroupAlarms

    /// Whether it names its alarms, and the one they are put under, instead of describing them.
    var isOfGroup: Bool { self == .groupAlarms || self == .unGroupAlarms }

    var act: AlarmCommand.Act {
        switch self {
        case .ackAlarms: .acknowledge
        case .unAckAlarms: .unacknowledge
        case .clearAlarms: .clear
        case .commentAlarms: .comment
        case .groupAlarms: .group
        case .unGroupAlarms: .ungroup
        }
    }

    /// The alarms to which it was done.
    var done: String {
        switch self {
        case .ackAlarms: "ackedAlarm"
        case .unAckAlarms: "unAckedAlarm"
        case .clearAlarms: "clearedAlarm"
        case .commentAlarms: "commentedAlarm"
        case .groupAlarms: "groupedAlarm"
        case .unGroupAlarms: "unGroupedAlarm"
        }
    }

    /// Who did it, with which system, when; of a comment they are members of it, and a group does not tell who.
    var names: (user: String?, system: String, time: String) {
        switch self {
        case .ackAlarms, .unAckAlarms: ("ackUserId", "ackSystemId", "ackTime")
        case .clearAlarms: ("clearUserId", "clearSystemId", "alarmClearedTime")
        case .commentAlarms: ("userId", "systemId", "time")
        case .groupAlarms, .unGroupAlarms: (nil, "sourceSystemId", "alarmChangedTime")
        }
    }
}
