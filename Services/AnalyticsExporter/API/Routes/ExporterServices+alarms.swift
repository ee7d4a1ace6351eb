internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import ServiceKit

extension ExporterServices {
    /// Alarms as they are.
    var alarmRoutes: [ExporterRoute] {
        [
            ExporterRoute(
                .get, "/v1/alarms", "listAlarms", .alarms, "Alarms, in the order of their identifiers",
                parameters: [
                    .choices("severity", "as they are now", of: APISchemas.severities),
                    .choices("state", "`raised` and `updated` go on", of: APISchemas.alarmStates),
                    .choices("ack", "by the tenant", of: ["acknowledged", "unacknowledged"]),
                    APIParameter(
                        "plmn", "the network they are about; several with commas",
                        ["type": "string", "pattern": "^([0-9]{5,6}|unknown)(,([0-9]{5,6}|unknown)){0,9}$"]),
                    .text(
                        "quadkey", "in which they lie; several with commas", pattern: "^[0-3]{1,16}(,[0-3]{1,16}){0,9}$"
                    ),
                    .text("subject", "what they are about: `alarmedObject.id`", pattern: "^[A-Za-z0-9/:._-]{1,100}$"),
                    .text("rule", "that raised them", pattern: "^[A-Za-z0-9._-]{1,64}$"),
                    .time("from", "raised then or later"), .time("to", "raised before"),
                    .text("cursor", "`next` of the page before", pattern: "^[a-z0-9-]{1,64}$"),
                    .integer("limit", "alarms of a page, all that fit if not said", in: AlarmService.limits),
                ], answers: [APIAnswer(200, "A page", APISchemas.reference("AlarmList"))]
            ) { try await alarms.list($0.request, of: $0.tenant) },
            ExporterRoute(
                .get, "/v1/alarms/stream", "followAlarms", .alarms, "Changes of alarms as server-sent events",
                description: """
                    Events `alarm` with its document, `deleted` with its `id`, and `reset` after too long a break: then ask for the \
                    list. It goes on until the client or the server ends it.
                    """,
                parameters: [
                    .integer("last_event_id", "changes after it; else from now on", in: 0...Int.max),
                    APIParameter("Last-Event-ID", "the same, as browsers send it", APISchemas.text, in: .header),
                ], answers: [APIAnswer(200, "Events", APISchemas.text, type: "text/event-stream")]
            ) { try await alarms.stream($0.request, of: $0.caller) },
            ExporterRoute(
                .get, "/v1/alarms/{id}", "showAlarm", .alarms, "One alarm",
                answers: [APIAnswer(200, "As it is now", APISchemas.reference("Alarm"))]
            ) { try await alarms.one($0["id"], of: $0.tenant) },
            ExporterRoute(
                .get, "/v1/alarms/{id}/history", "showAlarmHistory", .alarms, "What it was when, and who did what",
                answers: [APIAnswer(200, "In the order of time", APISchemas.reference("AlarmHistory"))]
            ) { try await commands.history(of: $0["id"], by: $0.caller) },
            ExporterRoute(
                .get, "/v1/tasks/{id}", "showTask", .alarms, "What became of something that a contact did",
                answers: [
                    APIAnswer(
                        200, "As it is now",
                        ["anyOf": [APISchemas.reference("Task"), APISchemas.reference("SiteTask")]])
                ]
            ) { call in
                if let task = try await sites.task(call["id"], of: call.caller) { return task }
                return try await commands.task(call["id"], of: call.caller)
            },
        ]
    }

    /// What contacts do to alarms.
    var actRoutes: [ExporterRoute] {
        AlarmCommandService.acts.sorted { $0.key < $1.key }.map { word, act in
            let task = APISchemas.reference("Task"), location = ["Location": "of the task"]
            return ExporterRoute(
                .post, "/v1/alarms/{id}/\(word)", "\(word)Alarm", .alarms, act.summary,
                parameters: [
                    .integer("wait", "seconds that the call may wait for the router", in: AlarmCommandService.waits)
                ],
                body: APIBody(AlarmCommandBody.schema(act), isRequired: !AlarmCommandBody.needed(act).isEmpty),
                answers: [
                    APIAnswer(202, "The router is to decide", task, headers: location),
                    APIAnswer(200, "It has decided: `done` or `failed`", task, headers: location),
                ],
                problems: [
                    400: "`invalid_parameter`; `invalid_body`: not a JSON object",
                    422: "`invalid_member`: `field` names it",
                ]
            ) { try await commands.act(act, on: $0["id"], $0.request, by: $0.caller) }
        }
    }
}

extension AlarmCommand.Act {
    /// One line for the document.
    fileprivate var summary: String {
        switch self {
        case .acknowledge: "Somebody looks after it, and has it"
        case .unacknowledge: "Nobody has it any more"
        case .offer: "Offers it to another contact of the tenant"
        case .accept: "Takes over what was offered"
        case .decline: "Leaves it with whoever has it"
        case .comment: "Adds a comment"
        case .group: "Puts it under another alarm of the tenant"
        case .ungroup: "Takes it out of the group"
        case .shelve: "Hides it from channels, sounds and the list for a time"
        case .unshelve: "Shows it again"
        case .clear: "Ends it by hand, for everybody"
        case .rate: "Says whether it was useful to be told"
        case .escalate: "Calls the next of an escalation"
        }
    }
}
