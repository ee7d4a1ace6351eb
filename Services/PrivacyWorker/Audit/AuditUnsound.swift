/// Why the worker adds nothing to a log: its end is not what it signed itself. A head over that would make the forgery sound.
struct AuditUnsound: Error, Equatable, CustomStringConvertible {
    let fault: AuditFault

    var description: String {
        "the audit log is not sound: \(fault); nothing was added and nothing signed, consents wait on their lane."
            + " See nkul-privacy-worker --verify, keep this state.sqlite as evidence and put back a copy that is sound"
    }
}
