internal import Models
internal import Synchronization

/// Who may see what, as of the last commit: requests ask here and never wait for the database.
///
/// Thread-safe. Written by the thread of the effects after each commit that changed it.
final class AccessDirectory: Sendable {
    private let snapshot: Mutex<AccessSnapshot>

    init(_ snapshot: AccessSnapshot) { self.snapshot = Mutex(snapshot) }

    func replace(_ new: AccessSnapshot) { snapshot.withLock { $0 = new } }

    /// The caller of a token, nil if it is not known (any more).
    func caller(token: SecretDigest) -> Caller? { snapshot.withLock { $0.callers[token] } }

    /// The caller of a session, nil if it has ended or its token is not known any more.
    func caller(session: SecretDigest, now: UnixMilliseconds) -> Caller? {
        snapshot.withLock { snapshot in
            guard let known = snapshot.sessions[session], known.endsAt > now,
                var caller = snapshot.callers[known.token]
            else { return nil }
            caller.session = session
            return caller
        }
    }

    /// The caller as it is now; nil if it may not go on.
    func current(_ caller: Caller, now: UnixMilliseconds) -> Caller? {
        guard let session = caller.session else { return self.caller(token: caller.token) }
        return self.caller(session: session, now: now)
    }

    /// Where a tenant's alerts are to be had, once the router has said so.
    func endpoint(of tenant: String) -> EndpointDocument? { snapshot.withLock { $0.endpoints[tenant] } }
}
