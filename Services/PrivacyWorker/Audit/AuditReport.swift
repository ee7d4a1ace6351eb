/// What `audit.verify` answers.
struct AuditReport: Encodable, Sendable {
    let sound: Bool
    let entries: Int64
    /// A sentence on the first fault, if there is one.
    let fault: String?

    init(_ outcome: AuditCheck.Outcome) {
        sound = outcome.fault == nil
        entries = outcome.entries
        fault = outcome.fault?.description
    }
}
