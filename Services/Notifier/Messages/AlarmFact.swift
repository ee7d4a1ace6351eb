internal import Foundation
package import Models

/// An alarm as the `alerts` lane tells it, as far as channels are concerned.
package struct AlarmFact: Sendable, Equatable {
    package let id: String
    package let severity: Severity
    package let isCleared: Bool
    package let rule: String
    /// What owns it: a network or something of another scheme; nil where that is not known.
    package let owner: Scope?
    /// A quadkey.
    package let place: String?
    /// Whether another alarm speaks for it: the parent of its storm, or its cause.
    package let isSpokenFor: Bool
    /// RFC 3339, UTC.
    package let raisedTime: String
    package let changedTime: String
    package let clearedTime: String?
    package let problem: String
    package let cause: String
    /// The document itself, JSON.
    package let bytes: [UInt8]

    private struct Document: Decodable {
        struct Place: Decodable { let id: String? }
        struct Reference: Decodable {}

        let id: String
        let perceivedSeverity: Severity
        let state: String
        let rule: String?
        let plmn: String?
        let scope: String?
        let place: [Place]?
        let parentAlarm: [Reference]?
        let suppressedBy: String?
        let alarmRaisedTime: String
        let alarmChangedTime: String?
        let alarmClearedTime: String?
        let specificProblem: String?
        let probableCause: String?
    }

    /// Reads a document; nil if it is no alarm's.
    package init?(_ bytes: [UInt8]) {
        guard let read = try? JSONDecoder().decode(Document.self, from: Data(bytes)), !read.id.isEmpty else {
            return nil
        }
        id = read.id
        severity = read.perceivedSeverity
        isCleared = read.state == "cleared" || read.perceivedSeverity == .cleared
        rule = read.rule ?? ""
        owner = read.scope.flatMap(Scope.init(text:)) ?? read.plmn.flatMap(PLMN.init(text:)).map { Scope($0) }
        place = read.place?.first?.id
        isSpokenFor = !(read.parentAlarm ?? []).isEmpty || read.suppressedBy != nil
        raisedTime = read.alarmRaisedTime
        changedTime = read.alarmChangedTime ?? read.alarmRaisedTime
        clearedTime = read.alarmClearedTime
        problem = read.specificProblem ?? read.rule ?? "alarm"
        cause = read.probableCause ?? ""
        self.bytes = bytes
    }

    /// What is told to try a channel: an alarm that is none.
    package static func test(at time: UnixMilliseconds) -> AlarmFact {
        let now = Timestamp.text(time)
        let text = """
            {"@type":"Alarm","alarmClearedTime":"\(now)","alarmRaisedTime":"\(now)","id":"test-\(time)",\
            "perceivedSeverity":"indeterminate","probableCause":"other","rule":"test","specificProblem":"a test of this channel",\
            "state":"raised"}
            """
        return AlarmFact(Array(text.utf8))!
    }
}
