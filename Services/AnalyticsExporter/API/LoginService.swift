package import ExporterOperations
package import ExporterSupport
internal import Hummingbird
package import Logging
internal import Models
internal import NIOCore
package import ServiceKit

/// Logging in and out of browsers, and what becomes of those who fail.
package struct LoginService: Sendable {
    let gate: Gate
    let changes: ChangeQueue
    let brake: LoginBrake
    let logger: Logger
    let refused: Counter
    private let links = PortalLinks()

    package init(gate: Gate, changes: ChangeQueue, brake: LoginBrake, logger: Logger, refused: Counter) {
        self.gate = gate
        self.changes = changes
        self.brake = brake
        self.logger = logger
        self.refused = refused
    }

    /// `POST /v1/session {"token": …}`: sets the cookie. Only tokens that are not known have to wait: behind one address may
    /// be a whole company.
    func logIn(_ request: Request, from prefix: AddressPrefix, now: UnixMilliseconds) async throws -> Response {
        try gate.checkOrigin(of: request, required: false)
        let token = SecretDigest(of: try await SessionDocument.token(in: request))
        guard gate.directory.caller(token: token) != nil else {
            try checkBrake(prefix, now)
            await fail(.unknownToken, from: prefix, now: now)
            throw ExporterAPIError(.unauthorized, "unknown_token", "this token is not known", field: "token")
        }
        brake.succeeded(prefix)
        let name = Secret.text()
        try await changes.submit { db, _ in
            try SessionStore.begin(SecretDigest(of: name), token: token, now: now, db)
            return ((), [])
        }
        return Response(status: .noContent, headers: [.setCookie: Self.cookie(name, SessionStore.lifetime, request)])
    }

    /// `POST /v1/portal-link`: a link that opens the page in the log-in of who asks, for apps of others.
    func link(_ request: Request, _ caller: Caller, now: UnixMilliseconds) throws -> Response {
        try gate.checkWrite(caller, request, ofItself: true)
        let link = JSONValue.object([
            "href": .string(Self.portal + links.begin(for: caller, now: now)),
            "expires": .string(Timestamp.text(now + PortalLinks.lifetime)),
        ])
        return Response(
            status: .created, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: link))))
    }

    /// `GET /portal/{once}`: begins a session and leads to the page. One that was used, is over or was none is not there.
    func open(_ path: String, _ request: Request, now: UnixMilliseconds) async throws -> Response {
        let once = String(path.dropFirst(Self.portal.count))
        guard let link = links.use(once, now: now), gate.directory.caller(token: link.token) != nil else {
            throw ExporterAPIError.notFound
        }
        let name = Secret.text()
        do {
            try await changes.submit { db, _ in
                try SessionStore.begin(SecretDigest(of: name), token: link.token, now: now, db)
                return ((), [])
            }
        } catch {
            // The queue is full, for one: whoever tries again is not to find the link used.
            links.giveBack(link, named: once)
            throw error
        }
        return Response(
            status: .seeOther,
            headers: [
                .location: "/", .cacheControl: "no-store",
                .setCookie: Self.cookie(name, SessionStore.lifetime, request),
            ])
    }

    /// What paths of links begin with.
    static let portal = "/portal/"

    /// `DELETE /v1/session`.
    func logOut(_ request: Request, _ caller: Caller) async throws -> Response {
        guard let session = caller.session else { return Response(status: .noContent) }
        try gate.checkWrite(caller, request, ofItself: true)
        try await changes.submit { db, _ in
            try SessionStore.end(session, db)
            return ((), [])
        }
        return Response(status: .noContent, headers: [.setCookie: Self.cookie("", 0, request)])
    }

    /// An `Authorization` was not valid: 401, or 429 while its prefix has to wait.
    func refuse(_ reason: LoginFailure, from prefix: AddressPrefix, now: UnixMilliseconds) async -> ExporterAPIError {
        do { try checkBrake(prefix, now) } catch { return error }
        await fail(reason, from: prefix, now: now)
        return .unauthorized
    }

    private func checkBrake(_ prefix: AddressPrefix, _ now: UnixMilliseconds) throws(ExporterAPIError) {
        let wait = brake.wait(prefix, now: now)
        guard wait > 0 else { return }
        throw ExporterAPIError(
            .tooManyRequests, "too_many_failed_logins", "several tokens were wrong; wait before the next",
            headers: [.retryAfter: "\((wait + 999) / 1000)"])
    }

    private func fail(_ reason: LoginFailure, from prefix: AddressPrefix, now: UnixMilliseconds) async {
        refused.add()
        brake.failed(prefix, now: now)
        logger.warning("login refused", metadata: ["prefix": "\(prefix.text)", "reason": "\(reason.rawValue)"])
        let failure = FailedAuthentication(prefix: prefix, reason: reason.rawValue, last: now)
        do {
            try await changes.submit { db, _ in
                try FailedAuthentication.store([failure], now: now, db)
                return ((), [])
            }
        } catch {
            logger.error("failed login not recorded", metadata: ["error": "\(error)"])
        }
    }

    /// A page that came by https gets a cookie that goes back by https only.
    private static func cookie(_ name: String, _ lifetime: UnixMilliseconds, _ request: Request) -> String {
        let isSecure = request.headers[.origin]?.hasPrefix("https://") ?? false
        return "\(Gate.cookie)=\(name); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(lifetime / 1000)"
            + (isSecure ? "; Secure" : "")
    }
}
