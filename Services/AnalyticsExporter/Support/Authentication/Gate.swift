package import Hummingbird
package import Models

/// Decides who calls: a contact by Bearer token, or by the session of a browser.
package struct Gate: Sendable {
    package static let cookie = "nkul_session"

    package let directory: AccessDirectory

    package init(directory: AccessDirectory) {
        self.directory = directory
    }

    /// What a request proves of its caller.
    package enum Proof: Equatable {
        case caller(Caller)
        /// Nothing was given, or a session that has ended.
        case nobody
        /// An `Authorization` that is not valid.
        case refused(LoginFailure)
    }

    package func proof(of request: Request, now: UnixMilliseconds) -> Proof {
        if let authorization = request.headers[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .refused(.notBearer) }
            let caller = directory.caller(token: SecretDigest(of: parts[1]))
            return caller.map(Proof.caller) ?? .refused(.unknownBearer)
        }
        guard let name = request.cookies[Self.cookie]?.value,
            let caller = directory.caller(session: SecretDigest(of: name), now: now)
        else { return .nobody }
        return .caller(caller)
    }

    /// Refuses what a caller may not change, and a write that another site made a browser send: a session's writes need
    /// the `Origin` of this server.
    ///
    /// - Parameter ofItself: true for what every role may do, like logging out.
    package func checkWrite(_ caller: Caller, _ request: Request, ofItself: Bool = false) throws(ExporterAPIError) {
        if caller.session != nil { try checkOrigin(of: request, required: true) }
        guard ofItself || caller.role.mayWrite else {
            throw ExporterAPIError(.forbidden, "role", "a \(caller.role.rawValue) may look, not change")
        }
    }

    /// Refuses who is no manager, and as ``checkWrite(_:_:ofItself:)`` does.
    package func checkManager(_ caller: Caller, _ request: Request) throws(ExporterAPIError) {
        guard caller.role == .manager else {
            throw ExporterAPIError(.forbidden, "role", "this is for managers, not for a \(caller.role.rawValue)")
        }
        if request.method != .get { try checkWrite(caller, request) }
    }

    package func checkOrigin(of request: Request, required: Bool) throws(ExporterAPIError) {
        guard let origin = request.headers[.origin] else {
            if required { throw Self.wrongOrigin }
            return
        }
        let host = request.head.authority ?? ""
        guard !host.isEmpty, origin == "http://\(host)" || origin == "https://\(host)" else { throw Self.wrongOrigin }
    }

    private static let wrongOrigin = ExporterAPIError(
        .forbidden, "wrong_origin", "a write by session needs the Origin header of this server")
}

/// Who makes a request, proven by a token: a contact of a tenant.
package struct Caller: Sendable, Equatable {
    package let tenant: Tenant
    package let contact: String
    package let role: ContactRole
    /// The token's digest; it stops being known when the contact is revoked or its tenant removed.
    package let token: SecretDigest
    /// The session that stands for the token; nil with the token itself.
    package var session: SecretDigest?
}

/// Why a log-in was refused, as it is recorded (`FailedAuthentication`).
package enum LoginFailure: String, Sendable {
    /// A log-in of the page with a token that is not known.
    case unknownToken = "unknown_token"
    /// A one-time code that is not the contact's, or is over, or of nobody.
    case wrongCode = "wrong_code"
    /// A one-time code was asked for by a name that is no contact's, or is that of several.
    case unknownContact = "unknown_contact"
    /// A contact asked for another one-time code within a minute, or for a sixth within an hour.
    case codeTooSoon = "code_too_soon"
    /// A request with a Bearer token that is not known.
    case unknownBearer = "unknown_bearer"
    /// A request with another kind of `Authorization`.
    case notBearer = "not_bearer"
}
