internal import Alarms
internal import HTTPTypes
internal import Models
internal import ServiceKit

extension ExporterServices {
    /// What people set of sites, and see.
    var siteRoutes: [ExporterRoute] {
        SiteKind.allCases.flatMap { kind in
            let word = kind.rawValue, name = word.prefix(1).uppercased() + word.dropFirst()
            let document = APISchemas.reference("SiteDocument")
            return [
                ExporterRoute(
                    .get, "/v1/\(kind.path)", "list\(name)s", .sites, "The \(kind.path) of the tenant",
                    answers: [APIAnswer(200, "All of them", APISchemas.object([kind.path: APISchemas.list(document)]))]
                ) { try await sites.list(kind, of: $0.caller) },
                ExporterRoute(
                    .get, "/v1/\(kind.path)/{id}", "show\(name)", .sites, "One \(word)",
                    answers: [APIAnswer(200, "As it is now", document)]
                ) { try await sites.one(kind, $0["id"], of: $0.caller) },
                ExporterRoute(
                    .put, "/v1/\(kind.path)/{id}", "set\(name)", .sites, "Sets a \(word), for managers",
                    body: APIBody(APISchemas.siteDocument(kind)), answers: [APIAnswer(200, "It is set", document)],
                    problems: [
                        400: "`invalid_parameter`; `invalid_body`: not a JSON object",
                        403: "`role`: only a manager; `wrong_origin`", 409: "`too_many_documents`",
                        422: "`invalid_document`: `field` names the first member that is wrong, `detail` all",
                    ]
                ) { try await sites.put(kind, $0["id"], $0.request, by: $0.caller) },
            ]
        }
    }

    /// What contacts have sites do.
    var siteActRoutes: [ExporterRoute] {
        let acts: [(SiteCommand.Act, SiteCommand.Target, String)] = [
            (.arm, .site, "Has all sensors of a site raise alarms"), (.disarm, .site, "Has none of them raise any"),
            (.arm, .sensor, "Has a sensor raise alarms"), (.disarm, .sensor, "Has it raise none"),
            (.open, .door, "Opens a door, at most once and within ten seconds"),
        ]
        return acts.map { act, target, summary in
            let task = APISchemas.reference("SiteTask"), location = ["Location": "of the task"]
            let name = target.rawValue.prefix(1).uppercased() + target.rawValue.dropFirst()
            var members: [String: JSONValue] = ["pressed_at_ms": APISchemas.milliseconds]
            if act != .open { members["code"] = APISchemas.text }
            var parameters: [APIParameter] = [
                .integer("wait", "seconds that the call may wait for the end", in: SiteService.waits)
            ]
            parameters.append(
                APIParameter(
                    "Idempotency-Key", "the same for a repeated request" + (act == .open ? "; needed" : ""),
                    ["type": "string", "minLength": 1, "maxLength": 128], in: .header))
            return ExporterRoute(
                .post, "/v1/\(target.rawValue)s/{id}/\(act.rawValue)", "\(act.rawValue)\(name)", .sites, summary,
                parameters: parameters,
                body: APIBody(
                    APISchemas.object(members, optional: Set(members.keys)), isRequired: false),
                answers: [
                    APIAnswer(202, "It is under way", task, headers: location),
                    APIAnswer(200, "It is over: `done` or `failed`", task, headers: location),
                ],
                problems: [
                    400: "`invalid_parameter`; `invalid_body`: not a JSON object",
                    422: "`invalid_member`, `missing_idempotency_key`: `field` names it",
                ]
            ) { try await sites.act(act, target, $0["id"], $0.request, by: $0.caller) }
        }
    }
}
