internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceKit

/// Answers the requests of operators, the regulator and the page (interfaces §4).
struct ExporterAPI: HTTPResponder {
    typealias Context = BasicRequestContext
    private typealias Action = @Sendable (Request) async throws -> Response

    let gate: Gate
    let files: StaticFiles
    let headers: SecurityHeaders
    let session: SessionDocument
    let reports: ReportDownloads
    let heatmap: HeatmapService
    let alarms: AlarmService
    let clock: WallClock
    let logger: Logger
    let refusedLogins: Counter

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        await respond(to: request)
    }

    /// Answers; whatever goes wrong is a problem document.
    func respond(to request: Request) async -> Response {
        var response: Response
        do {
            response = try await answer(request)
        } catch let problem as Problem {
            response = problem.response
        } catch let fault as ParameterFault {
            response = Problem(fault).response
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            response = Problem.internalError.response
        }
        headers.add(to: &response.headers)
        return response
    }

    private func answer(_ request: Request) async throws -> Response {
        let path = request.uri.path
        if let file = files.response(path) {
            guard request.method == .get else { throw Problem.methodNotAllowed([.get]) }
            return file
        }
        if StaticFiles.isLeaflet(path) { throw Problem.notFound }
        if path == "/v1/session", request.method == .post { return try await logIn(request) }
        guard let caller = gate.caller(of: request, now: clock.now()) else { throw Problem.unauthorized }
        guard let actions = routes(caller)[path] else { throw Problem.notFound }
        guard let action = actions.first(where: { $0.method == request.method })?.action else {
            throw Problem.methodNotAllowed(actions.map(\.method) + (path == "/v1/session" ? [.post] : []))
        }
        return try await action(request)
    }

    private func routes(_ caller: Gate.Caller) -> [String: [(method: HTTPRequest.Method, action: Action)]] {
        [
            "/v1/session": [
                (.get, { _ in session.response(now: clock.now()) }), (.delete, { try logOut($0, caller) }),
            ],
            "/v1/reports.ndjson": [(.get, { try await reports.respond(to: $0, format: .ndjson) })],
            "/v1/reports.csv": [(.get, { try await reports.respond(to: $0, format: .csv) })],
            "/v1/heatmap": [(.get, { try await heatmap.respond(to: $0, now: clock.now()) })],
            "/v1/alarms": [(.get, { try await alarms.list($0) })],
            "/v1/alarms/stream": [(.get, { try await alarms.stream($0) })],
        ]
    }

    /// `POST /v1/session {"token": …}`: sets the cookie.
    private func logIn(_ request: Request) async throws -> Response {
        try gate.checkOrigin(of: request, required: false)
        let token = try await SessionDocument.token(in: request)
        guard gate.token.matches(token) else {
            refusedLogins.add()
            logger.warning("login refused")
            throw Problem(.unauthorized, "unknown_token", "this token is not known", field: "token")
        }
        let name = gate.sessions.begin(now: clock.now())
        return Response(
            status: .noContent, headers: [.setCookie: Self.cookie(name, seconds: Int(Sessions.lifetime / 1000))])
    }

    private func logOut(_ request: Request, _ caller: Gate.Caller) throws -> Response {
        guard case .session(let name) = caller else { return Response(status: .noContent) }
        try gate.checkOrigin(of: request, required: true)
        gate.sessions.end(name)
        return Response(status: .noContent, headers: [.setCookie: Self.cookie("", seconds: 0)])
    }

    private static func cookie(_ name: String, seconds: Int) -> String {
        "\(Sessions.cookie)=\(name); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
    }
}
