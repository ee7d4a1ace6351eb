internal import ExporterRows
package import ExporterSupport
package import Hummingbird
package import Logging
internal import Models
internal import NIOCore
package import ServiceKit

/// Answers the requests of operators, the regulator and the page.
package struct ExporterAPI: HTTPResponder {
    package typealias Context = ExporterContext
    private typealias Action = @Sendable (Request) async throws -> Response

    let gate: Gate
    let login: LoginService
    let files: StaticFiles
    let headers: SecurityHeaders
    let session: SessionDocument
    let reports: ReportDownloads
    let exports: ExportService
    let heatmap: HeatmapService
    let events: EventService
    let engagement: EngagementService
    let alarms: AlarmService
    package let commands: AlarmCommandService
    package let onCall: OnCallService
    let notices: NoticeService
    let erasures: ErasureService
    let status: StatusService
    let clock: WallClock
    /// Sessions and failed log-ins are people's, whose time no recording changes.
    let systemClock: WallClock
    let logger: Logger
    let refusals: RefusalMetrics

    package init(
        gate: Gate, login: LoginService, files: StaticFiles, headers: SecurityHeaders, session: SessionDocument,
        reports: ReportDownloads, exports: ExportService, heatmap: HeatmapService, events: EventService,
        engagement: EngagementService,
        alarms: AlarmService, commands: AlarmCommandService, onCall: OnCallService, notices: NoticeService,
        erasures: ErasureService,
        status: StatusService, clock: WallClock,
        systemClock: WallClock, logger: Logger, refusals: RefusalMetrics
    ) {
        self.gate = gate
        self.login = login
        self.files = files
        self.headers = headers
        self.session = session
        self.reports = reports
        self.exports = exports
        self.heatmap = heatmap
        self.events = events
        self.engagement = engagement
        self.alarms = alarms
        self.commands = commands
        self.onCall = onCall
        self.notices = notices
        self.erasures = erasures
        self.status = status
        self.clock = clock
        self.systemClock = systemClock
        self.logger = logger
        self.refusals = refusals
    }

    package func respond(to request: Request, context: ExporterContext) async throws -> Response {
        await respond(to: request, from: context.prefix)
    }

    /// Answers; whatever goes wrong is a problem document.
    func respond(to request: Request, from prefix: AddressPrefix) async -> Response {
        var response: Response
        do {
            response = try await answer(request, from: prefix)
        } catch let problem as ExporterAPIError {
            response = refused(problem)
        } catch let fault as ParameterFault {
            response = refused(ExporterAPIError(fault))
        } catch let error as ControlError where error.code == ControlError.stopping {
            response = refused(ExporterAPIError.busy)
        } catch let error as ControlError where error.code == ControlError.journalFull {
            response = refused(ExporterAPIError.journalFull)
        } catch let error as ControlError where error.code == ControlError.notFound {
            response = refused(ExporterAPIError.notFound)
        } catch let error as ControlError where error.code == ControlError.badArgument {
            response = refused(ExporterAPIError(.unprocessableContent, "invalid_member", error.message))
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            response = refused(ExporterAPIError.internalError)
        }
        headers.add(to: &response.headers)
        return response
    }

    private func refused(_ problem: ExporterAPIError) -> Response {
        refusals.count(problem.code)
        return problem.response
    }

    private func answer(_ request: Request, from prefix: AddressPrefix) async throws -> Response {
        let path = request.uri.path
        if let file = files.response(path) {
            guard request.method == .get else { throw ExporterAPIError.methodNotAllowed([.get]) }
            return file
        }
        if StaticFiles.isLeaflet(path) { throw ExporterAPIError.notFound }
        let now = systemClock.now()
        if path == "/v1/session", request.method == .post {
            return try await login.logIn(request, from: prefix, now: now)
        }
        switch gate.proof(of: request, now: now) {
        case .nobody: return try answerNobody(request)
        case .refused(let reason): throw await login.refuse(reason, from: prefix, now: now)
        case .caller(let caller): return try await answer(request, of: caller, now: clock.now())
        }
    }

    /// What the page asks without a session, because browsers log every 401 as an error: whether it has one, and to end one
    /// that is over. Tokens are not tried out this way, and no cookie is taken from somebody whose browser kept it back.
    private func answerNobody(_ request: Request) throws(ExporterAPIError) -> Response {
        switch (request.uri.path, request.method) {
        case ("/v1/session/state", .get): session.state(isOpen: false, clock: clock)
        case ("/v1/session", .delete): Response(status: .noContent)
        default: throw ExporterAPIError.unauthorized
        }
    }

    private func answer(_ request: Request, of caller: Caller, now: UnixMilliseconds) async throws -> Response {
        let path = request.uri.path
        guard let actions = routes(caller, now)[path] ?? named(path, caller) else { throw ExporterAPIError.notFound }
        guard let action = actions.first(where: { $0.method == request.method })?.action else {
            throw ExporterAPIError.methodNotAllowed(actions.map(\.method) + (path == "/v1/session" ? [.post] : []))
        }
        return try await action(request)
    }

    /// Everything that is given to a caller, each with what that caller may see.
    private func routes(_ caller: Caller, _ now: UnixMilliseconds) -> [String: [(
        method: HTTPRequest.Method, action: Action
    )]] {
        [
            "/v1/session": [
                (.get, { _ in session.response(of: caller, clock: clock) }),
                (.delete, { try await login.logOut($0, caller) }),
            ],
            "/v1/session/state": [(.get, { _ in session.state(isOpen: true, clock: clock) })],
            "/v1/reports.ndjson": [(.get, { try await reports.respond(to: $0, of: caller, format: .ndjson) })],
            "/v1/reports.csv": [(.get, { try await reports.respond(to: $0, of: caller, format: .csv) })],
            ExportService.path: [(.get, { try await exports.list($0, of: caller, isSigned: false, now: now) })],
            ExportService.signedPath: [(.get, { try await exports.list($0, of: caller, isSigned: true, now: now) })],
            "/v1/heatmap": [(.get, { try await heatmap.respond(to: $0, scope: caller.tenant.scope, now: now) })],
            "/v1/events": [(.get, { try await events.respond(to: $0, scope: caller.tenant.scope, now: now) })],
            "/v1/engagement": [
                (.get, { try await engagement.respond(to: $0, scope: caller.tenant.scope, now: now) })
            ],
            "/v1/status": [(.get, { try status.respond(to: $0) })],
            "/v1/alarms": [(.get, { try await alarms.list($0, of: caller.tenant) })],
            "/v1/alarms/stream": [(.get, { try await alarms.stream($0, of: caller) })],
            NoticeService.path: [(.get, { try await notices.list($0, of: caller) })],
            "/v1/erasures": [(.get, { try await erasures.respond(to: $0, of: caller, now: now) })],
        ]
    }

    /// The routes about one alarm or task.
    private func actions(
        _ place: AlarmCommandService.Place, _ caller: Caller
    ) -> [(method: HTTPRequest.Method, action: Action)] {
        switch place {
        case .alarm(let id): [(.get, { try await alarms.one(id, $0, of: caller.tenant) })]
        case .act(let act, let alarm): [(.post, { try await commands.act(act, on: alarm, $0, by: caller) })]
        case .history(let alarm): [(.get, { try await commands.history(of: alarm, $0, of: caller) })]
        case .task(let id): [(.get, { try await commands.task(id, $0, of: caller) })]
        }
    }

    /// The routes about who is called when.
    private func actions(
        _ place: OnCallService.Place, _ caller: Caller
    ) -> [(method: HTTPRequest.Method, action: Action)] {
        switch place {
        case .all(let kind): [(.get, { try await onCall.list(kind, $0, of: caller) })]
        case .one(let kind, let id):
            [
                (.get, { try await onCall.one(kind, id, $0, of: caller) }),
                (.put, { try await onCall.put(kind, id, $0, by: caller) }),
                (.delete, { try await onCall.delete(kind, id, $0, by: caller) }),
            ]
        case .check(let kind, let id): [(.get, { try await onCall.check(kind, id, $0, of: caller) })]
        }
    }

    /// The routes that have a name in their path.
    private func named(_ path: String, _ caller: Caller) -> [(method: HTTPRequest.Method, action: Action)]? {
        if let name = ExportService.name(in: path) {
            return [(.get, { try await exports.file(name, $0, of: caller) })]
        }
        if let place = AlarmCommandService.Place(path) { return actions(place, caller) }
        if let place = OnCallService.Place(path) { return actions(place, caller) }
        if let place = TMFPlace(path) { return actions(place, caller) }
        guard let id = NoticeService.identifier(in: path) else { return nil }
        return [(.post, { try await notices.acknowledge(id, $0, by: caller) })]
    }
}

/// What is kept of a request's connection: the part of the client's address that a failed login is recorded under.
package struct ExporterContext: InitializableFromSource, Sendable {
    let prefix: AddressPrefix

    package init(source: ApplicationRequestContextSource) {
        prefix = ClientAddress(source.channel.remoteAddress).prefix
    }
}
