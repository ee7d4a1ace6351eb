internal import Hummingbird
internal import Models

/// Decides who calls: the built-in regulator by Bearer token, or by the session of a browser.
struct Gate: Sendable {
    /// How a caller proved itself.
    enum Caller: Equatable {
        case bearer
        /// The name of the session.
        case session(String)
    }

    let token: SecretDigest
    let sessions: Sessions

    /// The caller, or nil if there is no valid proof.
    func caller(of request: Request, now: UnixMilliseconds) -> Caller? {
        if let authorization = request.headers[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer", token.matches(parts[1]) else { return nil }
            return .bearer
        }
        guard let name = request.cookies[Sessions.cookie]?.value, sessions.isOpen(name, now: now) else { return nil }
        return .session(name)
    }

    /// Refuses a write that another site made a browser send: a session's writes need the `Origin` of this server.
    func checkOrigin(of request: Request, required: Bool) throws(Problem) {
        guard let origin = request.headers[.origin] else {
            if required { throw Self.wrongOrigin }
            return
        }
        let host = request.head.authority ?? ""
        guard !host.isEmpty, origin == "http://\(host)" || origin == "https://\(host)" else { throw Self.wrongOrigin }
    }

    private static let wrongOrigin = Problem(
        .forbidden, "wrong_origin", "a write by session needs the Origin header of this server")
}
