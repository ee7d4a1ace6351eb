internal import ExporterSupport
internal import HTTPTypes
internal import ServiceKit

extension ExporterServices {
    /// Schedules, escalations and planned work.
    var onCallRoutes: [ExporterRoute] { OnCallKind.allCases.flatMap(routes) }

    private func routes(_ kind: OnCallKind) -> [ExporterRoute] {
        let path = "/v1/\(kind.path)", one = path + "/{name}", name = kind.name
        let document = APISchemas.reference(name), named = "names one; what is set is the tenant's own"
        return [
            ExporterRoute(
                .get, path, "list\(name)s", .administration, "All of the tenant",
                answers: [APIAnswer(200, "By their names", APISchemas.list(document))]
            ) { try await onCall.list(kind, of: $0.caller) },
            ExporterRoute(
                .get, one, "show\(name)", .administration, "One of them", description: named,
                answers: [APIAnswer(200, "As it was set", document)]
            ) { try await onCall.one(kind, $0["name"], of: $0.caller) },
            ExporterRoute(
                .put, one, "set\(name)", .administration, "Sets one; for managers", description: named,
                body: APIBody(APISchemas.onCallDocument(kind)), answers: [APIAnswer(200, "As it is set", document)],
                problems: [
                    400: "`invalid_body`: not a JSON object", 403: "`role`", 409: "`too_many_documents`",
                    413: "`too_large`",
                    422: "`invalid_document`: `field` names the first member that is wrong, `detail` all",
                ]
            ) { try await onCall.put(kind, $0["name"], $0.request, by: $0.caller) },
            ExporterRoute(
                .delete, one, "remove\(name)", .administration, "Removes one; for managers",
                answers: [APIAnswer(204, "It is gone")],
                problems: [403: "`role`", 409: "`in_use`: an escalation names it"]
            ) { try await onCall.delete(kind, $0["name"], $0.request, by: $0.caller) },
            ExporterRoute(
                .get, one + "/check", "check\(name)", .administration, "What it comes to on the next days",
                parameters: [.integer("days", "for how many", in: OnCallCheck.days)],
                answers: [APIAnswer(200, "From now on", ["type": "object"])]
            ) { try await onCall.check(kind, $0["name"], $0.request, of: $0.caller) },
        ]
    }
}

extension OnCallKind {
    /// Of its schema.
    fileprivate var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
