internal import AlarmRules
internal import Models

/// What subscribers are told about an alarm, and under which topics.
struct AlarmNotification: Equatable {
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
        isSilent = action == .update && alarm.clearedAt != nil
        switch action {
        case .raise: (state, previous) = (.raised, nil)
        case .changeSeverity(let from): (state, previous) = (.updated, from)
        case .clear(let from): (state, previous) = (.cleared, from)
        case .update: (state, previous) = (alarm.clearedAt == nil ? .updated : .cleared, alarm.severity)
        case .wait: return nil
        }
    }

    /// Other counts or times, of which nobody is told.
    init(silent alarm: Alarm) {
        self.alarm = alarm
        (state, previous, isSilent) = (alarm.clearedAt == nil ? .updated : .cleared, alarm.severity, true)
    }

    /// True if its document changes and nobody is told: counts and times of a rule's alarm, and what came to light when an
    /// alarm was over.
    let isSilent: Bool

    /// The old topic, if the severity changed, and then the new one, so that no subscriber keeps a stale alarm.
    var topics: [String] {
        guard let previous, previous != alarm.severity else { return [alarm.topic] }
        return [alarm.key.topic(previous), alarm.topic]
    }
}

extension Alarm {
    /// The alarm as TM Forum TMF642 v4 JSON, with owner, rule, cell, records and devices counted.
    ///
    /// But for the words of rules every value is made of characters that JSON takes as they are.
    ///
    /// - Parameter isExact: whether the devices of a rule's alarm are told to the last one, which is for regulators; to others
    ///   they are told as the lower end of their band.
    func document(state: AlarmNotification.State, isExact: Bool = false) -> [UInt8] {
        let isFound = problem.number == AlarmProblem.found
        let devices = isFound && !isExact ? DeviceBand.begin(of: devices) : devices
        let records = isFound ? devices : records
        let raised = Timestamp.text(raisedAt)
        var text = "{\"id\":\"\(id)\",\"href\":\"/tmf-api/alarmManagement/v4/alarm/\(id)\",\"@type\":\"Alarm\""
        text += ",\"alarmType\":\"\(problem.type)\",\"perceivedSeverity\":\"\(severity.rawValue)\""
        text += ",\"probableCause\":\"\(problem.cause)\",\"specificProblem\":\(JSONWriter.quoted(problem.text))"
        text += ",\"state\":\"\(state.rawValue)\",\"ackState\":\"unacknowledged\""
        text += ",\"sourceSystemId\":\"nkul\",\"serviceAffecting\":\(key.owner?.scheme == Scope.plmn)"
        text += ",\"alarmRaisedTime\":\"\(raised)\",\"alarmReportingTime\":\"\(raised)\""
        text += ",\"alarmChangedTime\":\"\(Timestamp.text(max(changedAt, clearedAt ?? changedAt)))\""
        if let clearedAt { text += ",\"alarmClearedTime\":\"\(Timestamp.text(clearedAt))\"" }
        text += ",\"alarmedObject\":{\"id\":\"\(objectID)\",\"@referredType\":\"\(objectType)\"}"
        if let cell = key.subject.cell { text += ",\"place\":[{\"id\":\"\(cell.text)\",\"role\":\"quadkey\"}]" }
        if let owner = key.owner, !key.isOfNetworks {
            text += ",\"scope\":\"\(owner.text)\",\"rule\":\"\(problem.rule)\""
        } else {
            text += ",\"plmn\":\"\(key.ownerText)\",\"rule\":\"\(problem.rule)\""
            text += ",\"cell\":\"\(key.subject.cell?.text ?? "")\""
        }
        if let parent { text += ",\"parentAlarm\":[\(Self.reference(parent))]" }
        if !children.isEmpty {
            text += ",\"correlatedAlarm\":[\(children.map(Self.reference).joined(separator: ","))]"
        }
        if let reading { text += ",\"sensor\":\(reading)" }
        if let suppressedBy { text += ",\"suppressedBy\":\"\(suppressedBy)\"" }
        if isFlapping { text += ",\"flapping\":true" }
        if childCount > 0 { text += ",\"children\":\(childCount)" }
        text += ",\"devices\":\(devices),\"records\":\(records)}"
        return Array(text.utf8)
    }

    /// As TMF642 refers to an alarm.
    private static func reference(_ id: String) -> String {
        "{\"id\":\"\(id)\",\"href\":\"/tmf-api/alarmManagement/v4/alarm/\(id)\"}"
    }

    /// Whether it is told to regulators otherwise than to others.
    var hasExactDocument: Bool { problem.number == AlarmProblem.found }

    private var objectID: String {
        guard case .cell(let cell) = key.subject else { return key.subject.text }
        return cell.map { "\(key.ownerText)/\($0.text)" } ?? key.ownerText
    }

    /// The scheme, capitalised.
    private var objectType: String { key.subject.scheme.prefix(1).uppercased() + key.subject.scheme.dropFirst() }
}
