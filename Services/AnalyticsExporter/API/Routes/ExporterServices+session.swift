internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

extension ExporterServices {
    /// The page, and who is logged in.
    var sessionRoutes: [ExporterRoute] {
        [
            ExporterRoute(
                .get, "/", "showPage", .documents, "The page",
                answers: [APIAnswer(200, "HTML", APISchemas.text, type: "text/html")],
                problems: [404: "`not_found`: its files are missing"],
                access: .anybody { request, _ in
                    guard let page = files.response("/", to: request.headers) else { throw ExporterAPIError.notFound }
                    return page
                }),
            ExporterRoute(
                .post, "/v1/session", "logIn", .session, "Begins a session of a browser",
                description: "By the token of a contact, or by a one-time code that was sent to it.",
                body: APIBody(LogIn.schema),
                answers: [APIAnswer(204, "Begun", headers: ["Set-Cookie": "`nkul_session`, for 12 hours"])],
                problems: [
                    400: "`invalid_body`", 401: "`unknown_token`, `wrong_code`",
                    403: "`wrong_origin`: sent by the page of another site",
                ],
                access: .anybody { try await login.logIn($0, from: $1, now: systemClock.now()) }),
            ExporterRoute(
                .post, "/v1/session/code", "sendLoginCode", .session, "Has a one-time code sent to a contact",
                description: """
                    By the contact's own channels of kind `email` and `sms`. The answer is the same whether there is such a contact or not. \
                    A code has six digits and is good for five minutes, once, and for five tries; another is sent after a minute.
                    """,
                body: APIBody(LogIn.contactSchema),
                answers: [
                    APIAnswer(202, "It is sent if there is one", APISchemas.object(["valid_seconds": APISchemas.count]))
                ],
                problems: [
                    400: "`invalid_body`", 403: "`wrong_origin`: sent by the page of another site",
                    503: "`no_notifier`: nobody would send it; `busy`, `stopping`, `journal_full`",
                ],
                access: .anybody { try await login.sendCode($0, from: $1, now: systemClock.now()) }),
            ExporterRoute(
                .get, "/v1/session", "showSession", .session, "Tells who is logged in, and what can be chosen",
                answers: [APIAnswer(200, "The contact and the tenant", APISchemas.reference("Session"))]
            ) {
                try session.response(
                    of: $0.caller, contacts: gate.directory.contacts(of: $0.caller.tenant), clock: clock)
            },
            ExporterRoute(
                .delete, "/v1/session", "logOut", .session, "Ends the session; nobody is needed if it is over",
                answers: [APIAnswer(204, "It is over")],
                problems: [401: "`unauthorized`: a token that is not known", 403: "`wrong_origin`"],
                access: .contactsOrNobody(
                    { try await login.logOut($0.request, $0.caller) }, nobody: { Response(status: .noContent) })),
            ExporterRoute(
                .post, "/v1/portal-link", "makePortalLink", .session,
                "A link that opens the page in the log-in of who asks",
                description: "It is good once, and for 60 seconds.",
                answers: [
                    APIAnswer(
                        201, "The link", APISchemas.object(["href": APISchemas.text, "expires": APISchemas.time]))
                ]
            ) { try login.link($0.request, $0.caller, now: systemClock.now()) },
            ExporterRoute(
                .get, LoginService.portal + "{once}", "openPortalLink", .session, "Begins a session by such a link",
                answers: [
                    APIAnswer(303, "To the page", headers: ["Location": "`/`", "Set-Cookie": "`nkul_session`"])
                ],
                access: .anybody { request, _ in
                    try await login.open(request.uri.path, request, now: systemClock.now())
                }),
            ExporterRoute(
                .get, "/v1/session/state", "showSessionState", .session, "Tells whether somebody is logged in",
                answers: [APIAnswer(200, "Whether, and the server's time", APISchemas.reference("SessionState"))],
                problems: [401: "`unauthorized`: a token that is not known"],
                access: .contactsOrNobody(
                    { _ in try session.state(isOpen: true, clock: clock) },
                    nobody: { try session.state(isOpen: false, clock: clock) })),
            ExporterRoute(
                .get, "/v1/status", "showStatus", .statistics, "Tells to when figures are complete",
                answers: [APIAnswer(200, "By figure and service", APISchemas.reference("Status"))]
            ) { _ in try status.respond() },
        ]
    }
}

extension ExporterDocument {
    /// The call for the document itself.
    static func route(_ answer: @escaping @Sendable (Request) throws -> Response) -> ExporterRoute {
        ExporterRoute(
            .get, "/openapi.json", "showDocument", .documents, "This document",
            parameters: [APIParameter.ifNoneMatch],
            answers: [
                APIAnswer(200, "OpenAPI 3.1", ["type": "object"], headers: ["ETag": "changes with the document"]),
                APIAnswer.unchanged,
            ],
            access: .anybody { request, _ in try answer(request) })
    }

    /// The document, or that who asks has it already.
    @Sendable func response(to request: Request) -> Response {
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
        if EntityTag(tag).isKnown(to: request.headers) { return Response(status: .notModified, headers: headers) }
        var response = Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        response.headers[.contentType] = "application/json"
        return response
    }
}
