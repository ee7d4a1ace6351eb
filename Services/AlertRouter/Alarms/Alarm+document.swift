internal import Models

extension Alarm {
    /// The alarm as TM Forum TMF642 v4 JSON, with operator, rule, cell, records and devices counted.
    ///
    /// Every value is made of characters that JSON takes as they are, so nothing needs escaping.
    func document(state: AlarmTelling.State) -> [UInt8] {
        let raised = Timestamp.text(raisedAt)
        var text = "{\"id\":\"\(id)\",\"href\":\"/tmf-api/alarmManagement/v4/alarm/\(id)\",\"@type\":\"Alarm\""
        text += ",\"alarmType\":\"\(problem.type)\",\"perceivedSeverity\":\"\(severity.rawValue)\""
        text += ",\"probableCause\":\"\(problem.cause)\",\"specificProblem\":\"\(problem.text)\""
        text += ",\"state\":\"\(state.rawValue)\",\"ackState\":\"unacknowledged\""
        text += ",\"sourceSystemId\":\"nkul\",\"serviceAffecting\":\(key.concern == .network)"
        text += ",\"alarmRaisedTime\":\"\(raised)\",\"alarmReportingTime\":\"\(raised)\""
        text += ",\"alarmChangedTime\":\"\(Timestamp.text(changedAt))\""
        if severity == .cleared { text += ",\"alarmClearedTime\":\"\(Timestamp.text(changedAt))\"" }
        text += ",\"alarmedObject\":{\"id\":\"\(objectID)\",\"@referredType\":\"\(objectType)\"}"
        if let cell = key.cell { text += ",\"place\":[{\"id\":\"\(cell.text)\",\"role\":\"quadkey\"}]" }
        text += ",\"plmn\":\"\(key.plmnText)\",\"rule\":\"\(problem.rule)\",\"cell\":\"\(key.cellText)\""
        text += ",\"devices\":\(devices),\"records\":\(records)}"
        return Array(text.utf8)
    }

    private var objectID: String {
        switch key.concern {
        case .network: key.cell == nil ? key.plmnText : "\(key.plmnText)/\(key.cellText)"
        case .lateErasures: "erasures"
        }
    }

    private var objectType: String { key.concern == .network ? "Cell" : "Service" }
}
