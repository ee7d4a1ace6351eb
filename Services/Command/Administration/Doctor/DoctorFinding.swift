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
