internal import Channels
package import ExporterOperations
internal import ExporterStores
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
    private let codes = LoginCodes()
    /// Of who asks for codes and tries them.
    private let codeBrake = LoginBrake()
    /// Of the notifier, to which codes are sealed.
    let state: StateReaders
    let codesSent: Counter

    package init(
        gate: Gate, changes: ChangeQueue, state: StateReaders, brake: LoginBrake, logger: Logger, refused: Counter,
        codesSent: Counter
    ) {
        self.gate = gate
        self.changes = changes
        self.state = state
        self.codesSent = codesSent
        self.brake = brake
        self.logger = logger
        self.refused = refused
    }

    /// `POST /v1/session {"token": …}` or `{"contact": …, "code": …}`: sets the cookie. Only tokens that are not known have to wait:
    /// behind one address may be a whole company.
    func logIn(_ request: Request, from prefix: AddressPrefix, now: UnixMilliseconds) async throws -> Response {
        try gate.checkOrigin(of: request, required: false)
        switch try await LogIn(request) {
        case .token(let text):
            let token = SecretDigest(of: text)
            guard gate.directory.caller(token: token) != nil else {
                try checkBrake(brake, prefix, now)
                await fail(.unknownToken, from: prefix, now: now, brake)
                throw ExporterAPIError(
                    .unauthorized, "unknown_token", "this token is not known", field: "token",
                    headers: [.wwwAuthenticate: "Bearer"])
            }
            return try await begin(token, request, from: prefix, now: now)
        case .code(let code, let contact):
            // Six digits can be guessed: whoever has failed waits, right or wrong.
            try checkBrake(codeBrake, prefix, now)
            let caller = gate.directory.onlyCaller(contact.name, of: contact.tenant)
            guard codes.use(code, of: caller?.token, now: now), let caller else {
                await fail(.wrongCode, from: prefix, now: now, codeBrake)
                throw ExporterAPIError(
                    .unauthorized, "wrong_code", "this is not the code that was sent last, or it is over",
                    field: "code", headers: [.wwwAuthenticate: "Bearer"])
            }
            return try await begin(caller.token, request, from: prefix, now: now, byCodeOf: caller)
        }
    }

    /// - Parameter contact: whose one-time code it was, which is gone from the lane then.
    private func begin(
        _ token: SecretDigest, _ request: Request, from prefix: AddressPrefix, now: UnixMilliseconds,
        byCodeOf contact: Caller? = nil
    ) async throws -> Response {
        // Who has a token of its own does not end the wait of who tries codes.
        (contact == nil ? brake : codeBrake).succeeded(prefix)
        let name = Secret.text()
        try await changes.submit { db, _ in
            try SessionStore.begin(SecretDigest(of: name), token: token, now: now, db)
            guard let contact else { return ((), []) }
            let used = try DocumentStore.remove(.loginCode, of: contact.contact, contact.tenant.name, db)
            return ((), used + (try ContactActs.records("session.code_used", "", by: contact, now: now, db)))
        }
        return Response(status: .noContent, headers: [.setCookie: Self.cookie(name, SessionStore.lifetime, request)])
    }

    /// `POST /v1/session/code {"contact": …}`: has a code sent to the contact, if there is one. The answer is the same, and comes after
    /// the same time, whether there is one or not.
    func sendCode(_ request: Request, from prefix: AddressPrefix, now: UnixMilliseconds) async throws -> Response {
        try gate.checkOrigin(of: request, required: false)
        let contact = try await LogIn.contact(request)
        try checkBrake(codeBrake, prefix, now)
        guard let key = try await state.read({ try NotifierKeyStore.current($0) }) else {
            throw ExporterAPIError(
                .serviceUnavailable, "no_notifier", "no notifier has run in this home, which would send the code",
                headers: [.retryAfter: "60"])
        }
        // Whoever asks again and again waits, as who tries tokens does; a log-in ends that.
        codeBrake.failed(prefix, now: now)
        let begun = ContinuousClock.now
        await send(to: gate.directory.onlyCaller(contact.name, of: contact.tenant), key, from: prefix, now: now)
        try await Task.sleep(for: Self.rest(after: ContinuousClock.now - begun))
        let answer = JSONValue.object(["valid_seconds": .integer(LoginCodeDocument.lifetime / 1_000)])
        return Response(
            status: .accepted, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: answer))))
    }

    /// Until the next whole half of a second: how long it took tells nothing of what was done.
    static func rest(after time: Duration) -> Duration {
        let grain = Duration.milliseconds(500)
        return grain * (time / grain).rounded(.up) - time
    }

    /// Seals, writes and waits for the disk in any case, and says nothing of how that went.
    private func send(
        to contact: Caller?, _ key: ChannelKeyDocument, from prefix: AddressPrefix, now: UnixMilliseconds
    ) async {
        let code = LoginCodes.make(), mayMake = contact.map { codes.reserve(for: $0.token, now: now) } ?? false
        do {
            let document = try LoginCodeSeal.seal(
                code, id: Secret.identifier(), of: contact?.contact ?? "", contact?.tenant.name ?? "", to: key, at: now)
            guard let contact, mayMake else {
                await fail(contact == nil ? .unknownContact : .codeTooSoon, from: prefix, now: now, nil)
                return
            }
            try await changes.submit { db, _ in
                let record = try OperationRecord(.loginCode, key: "\(contact.tenant.name)/\(contact.contact)", document)
                let over = try DocumentStore.removeOver(.loginCode, before: now - LoginCodeDocument.lifetime, db)
                try DocumentStore.put(record, of: contact.tenant.name, db)
                let act = try ContactActs.records("session.code_sent", "", by: contact, now: now, db)
                return ((), over.filter { $0.key != record.key } + [record] + act)
            }
            codes.put(code, for: contact.token)
            codesSent.add()
        } catch {
            logger.error("one-time code not sent", metadata: ["error": "\(error)"])
        }
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
        do { try checkBrake(brake, prefix, now) } catch { return error }
        await fail(reason, from: prefix, now: now, brake)
        return .unauthorized
    }

    private func checkBrake(
        _ brake: LoginBrake, _ prefix: AddressPrefix, _ now: UnixMilliseconds
    ) throws(ExporterAPIError) {
        let wait = brake.wait(prefix, now: now)
        guard wait > 0 else { return }
        throw ExporterAPIError(
            .tooManyRequests, "too_many_failed_logins", "too many attempts from your network; wait before the next",
            headers: [.retryAfter: "\((wait + 999) / 1000)"])
    }

    private func fail(
        _ reason: LoginFailure, from prefix: AddressPrefix, now: UnixMilliseconds, _ brake: LoginBrake?
    ) async {
        refused.add()
        brake?.failed(prefix, now: now)
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
