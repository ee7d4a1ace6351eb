internal import Channels
internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import ServiceKit

extension ExporterServices {
    /// What managers set for their tenant.
    var managedRoutes: [ExporterRoute] {
        let rule = APISchemas.reference("Rule"), channel = APISchemas.reference("Channel")
        return documentRoutes("rule", managed.rules, rule, description: "`docs/rules.md` says what stands in a rule.") {
            try await managed.putRule($0["id"], $0.request, by: $0.caller)
        } + [ruleTestRoute] + policyRoutes
            + documentRoutes(
                "channel", managed.channels, channel,
                description: """
                    `docs/channels.md` says what stands in a channel. `secrets` are sealed to the notifier's key at once, and never shown.
                    """
            ) { try await managed.putChannel($0["id"], $0.request, by: $0.caller) } + pushRoutes
    }

    private func documentRoutes(
        _ name: String, _ documents: DocumentService, _ schema: JSONValue, description: String,
        put: @escaping @Sendable (ExporterCall) async throws -> Response
    ) -> [ExporterRoute] {
        let path = "/v1/\(name)s", word = name.prefix(1).uppercased() + name.dropFirst()
        let forManagers = [403: "`role`: for managers; `wrong_origin`"]
        return [
            ExporterRoute(
                .get, path, "list\(word)s", .administration, "The tenant's \(name)s; of regulators all",
                answers: [APIAnswer(200, "By name", APISchemas.object(["\(name)s": APISchemas.list(schema)]))],
                problems: forManagers
            ) { try await managed.list(documents, $0.request, of: $0.caller) },
            ExporterRoute(
                .get, path + "/{id}", "show\(word)", .administration, "One \(name)",
                answers: [APIAnswer(200, "As it was set", schema)], problems: forManagers
            ) { try await managed.one($0["id"], documents, $0.request, of: $0.caller) },
            ExporterRoute(
                .put, path + "/{id}", "set\(word)", .administration, "Sets a \(name)", description: description,
                body: APIBody(["type": "object"]),
                answers: [APIAnswer(200, "In the place of another", schema), APIAnswer(201, "A new one", schema)],
                problems: [
                    400: "`invalid_body`: not a JSON object", 403: "`role`: for managers; `wrong_origin`",
                    409: "`too_many_documents`",
                    422:
                        "`invalid_document`: `field` names the first member that is wrong, `detail` all, with what is allowed",
                    503: "`no_notifier`: nobody is there to seal secrets to; `busy`, `stopping`, `journal_full`",
                ], put),
            ExporterRoute(
                .delete, path + "/{id}", "remove\(word)", .administration, "Removes a \(name)",
                answers: [APIAnswer(204, "Removed")],
                problems: forManagers.merging([409: "`in_use`: an escalation names it"]) { $1 }
            ) { try await managed.remove($0["id"], documents, $0.request, by: $0.caller) },
        ]
    }

    private var policyRoutes: [ExporterRoute] {
        let path = "/v1/prompt-policy", policy: JSONValue = ["type": "object", "description": "docs/prompting.md"]
        return [
            ExporterRoute(
                .get, path, "showPromptPolicy", .administration, "When phones ask for feedback",
                description: "The policy in force: the one that was set, or the built-in one, whose version is 0.",
                answers: [APIAnswer(200, "The policy", policy)]
            ) { _ in try await promptPolicy.response() },
            ExporterRoute(
                .put, path, "setPromptPolicy", .administration, "Puts a prompt policy in force; for regulators",
                description:
                    "Its `version` is above that of the one in force. `docs/prompting.md` says what stands in it.",
                body: APIBody(["type": "object"]), answers: [APIAnswer(200, "As it is in force", policy)],
                problems: [
                    400: "`invalid_body`: not a JSON object",
                    403: "`role`: for managers of a regulator; `wrong_origin`",
                    409: "`in_use`: the version is not above that of the one in force",
                    422: "`invalid_member`: `field` names the member that is wrong",
                ]
            ) { try await promptPolicy.put($0.request, by: $0.caller) },
        ]
    }

    private var ruleTestRoute: ExporterRoute {
        let moment = APIParameter.time("from", "").schema
        return ExporterRoute(
            .post, "/v1/rules/{id}/test", "testRule", .administration, "What a rule would have found in the last days",
            description: """
                Plays the raw rows that the caller may see through the rule, and through the one in its place, as the router would have \
                met them; nothing is set. Without `document` the rule in force is tested, without `from` and `to` the last 24 hours. At \
                most \(RuleTestService.longest / 86_400_000) days, \(RuleTestRun.Limits().rows) rows and \
                \(RuleTestRun.Limits().time.components.seconds) s. `docs/rules.md` says what is left out.
                """,
            body: APIBody(
                APISchemas.only(
                    ["document": ["type": ["object", "null"]], "from": moment, "to": moment], [])),
            answers: [APIAnswer(200, "What it would have found", APISchemas.reference("RuleTest"))],
            problems: [
                400:
                    "`invalid_body`; `invalid_parameter`; `too_long`; `too_many_rows`: nothing of the period could be judged",
                403: "`role`: for managers; `wrong_origin`", 413: "`too_large`",
                422: "`invalid_document`: `field` names the first member that is wrong, `detail` all",
                503: "`busy`: another rule is being tested",
            ]
        ) { try await ruleTests.respond($0["id"], $0.request, of: $0.caller, now: $0.now) }
    }

    private var pushRoutes: [ExporterRoute] {
        let path = "/v1/contact/push", noNotifier = [503: "`no_notifier`, `busy`, `stopping`, `journal_full`"]
        let taken = APISchemas.object(["channel": APISchemas.text])
        return [
            ExporterRoute(
                .get, path, "showPush", .administration,
                "Whether the contact's browser is told, and the key for browsers",
                answers: [
                    APIAnswer(
                        200, "VAPID key (RFC 8292), and the channel",
                        APISchemas.object(["vapid_key": APISchemas.text, "channel": APISchemas.orNull("string")]))
                ], problems: noNotifier
            ) { try await managed.push(of: $0.caller) },
            ExporterRoute(
                .put, path, "setPush", .administration, "Has the contact's browser told of alarms",
                description:
                    "What a browser's `PushSubscription.toJSON()` gives. It is sealed to the notifier's key at once.",
                body: APIBody(
                    APISchemas.closed(
                        [
                            "endpoint": ["type": "string", "format": "uri"],
                            "expirationTime": APISchemas.orNull("number"),
                            "keys": APISchemas.object(["p256dh": APISchemas.text, "auth": APISchemas.text]),
                            "filter": ["type": "object"],
                            "tells": APISchemas.words(Channel.Tells.allCases.map(\.rawValue)),
                        ], required: ["endpoint", "keys"])),
                answers: [APIAnswer(200, "In the place of another", taken), APIAnswer(201, "From now on", taken)],
                problems: [
                    400: "`invalid_body`: not a JSON object", 409: "`too_many_documents`",
                    422: "`invalid_document`: `field` names the first member that is wrong",
                ].merging(noNotifier) { $1 }
            ) { try await managed.putPush($0.request, by: $0.caller) },
            ExporterRoute(
                .delete, path, "removePush", .administration, "The contact's browser is told nothing any more",
                answers: [APIAnswer(204, "Removed")], problems: [404: "`not_found`: it was told nothing"]
            ) { try await managed.removePush($0.request, by: $0.caller) },
        ]
    }

    /// Listeners by the names of TMF642.
    var tmfHubRoutes: [ExporterRoute] {
        let service = TMFHubService(documents: managed), path = TMF642.base + "hub"
        let listener = APISchemas.reference("TMFListener"), forManagers = [403: "`role`: for managers; `wrong_origin`"]
        return [
            ExporterRoute(
                .get, path, "tmfListListeners", .tmf642, "The tenant's listeners",
                parameters: [Self.fields] + Self.pages,
                answers: [
                    APIAnswer(
                        200, "Some of them", APISchemas.list(Self.someMembers(of: listener)), headers: Self.counts)
                ],
                problems: forManagers
            ) { try await service.list($0.request, of: $0.caller) },
            ExporterRoute(
                .post, path, "tmfAddListener", .tmf642, "Has events told to a listener",
                description: "Address rules, tries and limits are those of channels (`docs/channels.md`).",
                body: APIBody(
                    APISchemas.closed(
                        [
                            "callback": ["type": "string", "format": "listener"],
                            "query": [
                                "anyOf": [["type": "string", "format": "events"], ["type": "null"]],
                                "description": .string(AlarmEventQuery.allowed),
                            ],
                        ], required: ["callback"])),
                answers: [APIAnswer(201, "From now on", listener, headers: ["Location": "of the listener"])],
                problems: [
                    400: "`invalid_member`, `invalid_body`", 403: "`role`: for managers; `wrong_origin`",
                    409: "`too_many_documents`",
                    503: "`no_notifier`: nobody would tell it; `busy`, `stopping`, `journal_full`",
                ]
            ) { try await service.add($0.request, by: $0.caller) },
            ExporterRoute(
                .get, path + "/{id}", "tmfShowListener", .tmf642, "One listener", parameters: [Self.fields],
                answers: [APIAnswer(200, "As it was added", Self.someMembers(of: listener))], problems: forManagers
            ) { try await service.one($0["id"], $0.request, of: $0.caller) },
            ExporterRoute(
                .delete, path + "/{id}", "tmfRemoveListener", .tmf642, "A listener is told nothing any more",
                answers: [APIAnswer(204, "Removed")], problems: forManagers
            ) { try await service.remove($0["id"], $0.request, by: $0.caller) },
        ]
    }
}
