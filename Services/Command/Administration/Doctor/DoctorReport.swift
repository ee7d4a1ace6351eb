import Foundation
internal import Models
import ServiceKit

/// All findings of `nkul doctor`, for people and for machines.
struct DoctorReport: Encodable {
    let home: String
    let version: String
    let sound: Bool
    let findings: [DoctorFinding]
    let lanes: [DoctorLane]

    init(home: Home, findings: [DoctorFinding], lanes: [DoctorLane]) {
        self.home = home.path
        version = Version.text
        sound = findings.allSatisfy { $0.state != .problem }
        self.findings = findings
        self.lanes = lanes
    }

    /// One line.
    var json: String {
        (try? SortedJSON.text(of: self)) ?? "{}"
    }

    /// A line for each finding and a last one that says whether the home is sound.
    var text: String {
        let lines = findings.map { "\(Self.mark($0.state)) \($0.subject): \($0.sentence)" }
        let problems = findings.count { $0.state == .problem }
        let warnings = findings.count { $0.state == .warning }
        let verdict = sound ? "sound" : "not sound: \(problems) problem\(problems == 1 ? "" : "s")"
        let rest = warnings == 0 ? "" : ", \(warnings) warning\(warnings == 1 ? "" : "s")"
        return (lines + ["\(home) is \(verdict)\(rest)"]).joined(separator: "\n")
    }

    private static func mark(_ state: DoctorFinding.State) -> String {
        switch state {
        case .sound: "  ok     "
        case .warning: "  WARNING"
        case .problem: "  PROBLEM"
        }
    }
}

/// One thing that `nkul doctor` looked at, and what it found.
struct DoctorFinding: Sendable, Equatable, Encodable {
    enum State: String, Sendable, Encodable {
        /// As it should be.
        case sound
        /// Works, but somebody should look.
        case warning
        /// Not sound: exit code 1.
        case problem
    }

    let state: State
    /// What was looked at: a path, a lane, a service, `clock`, `disk`.
    let subject: String
    /// One sentence.
    let sentence: String

    static func sound(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(state: .sound, subject: subject, sentence: sentence)
    }

    static func warning(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(state: .warning, subject: subject, sentence: sentence)
    }

    static func problem(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(state: .problem, subject: subject, sentence: sentence)
    }
}
