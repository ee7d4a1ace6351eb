internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import ServiceKit

extension ExporterServices {
    static let fields = APIParameter(
        "fields", "members that are to be shown, commas between them; `id` and `href` always are",
        ["type": "string", "minLength": 1])
    static let pages: [APIParameter] = [
        .integer("offset", "how many to pass over", in: 0...1_000_000_000),
        .integer("limit", "how many to show, 100 if not said", in: TMFQuery.limits),
    ]
    static let counts = ["X-Total-Count": "how many there are", "X-Result-Count": "how many are shown"]
    private static let wrongMember = "`unknown_parameter`, `invalid_parameter`, `invalid_member`, `invalid_body`"

    /// Alarms by the names of TMF642.
    var tmfAlarmRoutes: [ExporterRoute] {
        let service = TMFAlarmService(commands: commands), path = TMF642.base + "alarm"
        let alarm = APISchemas.reference("Alarm"), notByHand = [403: "`not_by_hand`"]
        return [
            ExporterRoute(
                .get, path, "tmfListAlarms", .tmf642, "Alarms, in the order of their identifiers",
                description: "Values of one parameter, with commas, are alternatives.",
                parameters: [Self.fields] + Self.pages + AlarmFilter.Spelling.tmf.names.map(Self.filter),
                answers: [
                    APIAnswer(200, "Some of them", APISchemas.list(Self.someMembers(of: alarm)), headers: Self.counts)
                ]
            ) { try await service.list($0.request, of: $0.caller) },
            ExporterRoute(
                .post, path, "tmfRaiseAlarm", .tmf642, "Refused: alarms are raised by rules and records", answers: [],
                problems: notByHand
            ) { _ in try service.refuse() },
            ExporterRoute(
                .get, path + "/{id}", "tmfShowAlarm", .tmf642, "One alarm", parameters: [Self.fields],
                answers: [APIAnswer(200, "As it is now", Self.someMembers(of: alarm))]
            ) { try await service.one($0["id"], $0.request, of: $0.caller) },
            ExporterRoute(
                .patch, path + "/{id}", "tmfPatchAlarm", .tmf642, "Acknowledges, comments, clears",
                description: "A JSON merge patch. Waits up to 2 s for the router.", parameters: [Self.fields],
                body: APIBody(APISchemas.alarmPatch), answers: [APIAnswer(200, "Done", Self.someMembers(of: alarm))],
                problems: [
                    400: Self.wrongMember,
                    409: "why the router refused it, or `undecided`; `detail` says what was done before",
                ]
            ) { try await service.patch($0["id"], $0.request, by: $0.caller) },
            ExporterRoute(
                .delete, path + "/{id}", "tmfDeleteAlarm", .tmf642, "Refused: alarms go by retention", answers: [],
                problems: notByHand
            ) { _ in try service.refuse() },
        ]
    }

    /// Tasks about several alarms.
    var tmfTaskRoutes: [ExporterRoute] {
        TMFTaskKind.allCases.flatMap { kind in
            let service = TMFTaskService(commands: commands), path = TMF642.base + kind.rawValue
            let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
            let task = APISchemas.reference("TMFTask")
            return [
                ExporterRoute(
                    .get, path, "tmfList\(name)", .tmf642, "Tasks, the latest first",
                    parameters: [Self.fields] + Self.pages,
                    answers: [
                        APIAnswer(
                            200, "Some of them", APISchemas.list(Self.someMembers(of: task)), headers: Self.counts)
                    ]
                ) { try await service.list(kind, $0.request, of: $0.caller) },
                ExporterRoute(
                    .post, path, "tmfBegin\(name)", .tmf642, kind.summary, parameters: [Self.fields],
                    body: APIBody(kind.schema),
                    answers: [
                        APIAnswer(201, "Ordered", Self.someMembers(of: task), headers: ["Location": "of the task"])
                    ],
                    problems: [400: Self.wrongMember]
                ) { try await service.begin(kind, $0.request, by: $0.caller) },
                ExporterRoute(
                    .get, path + "/{id}", "tmfShow\(name)", .tmf642, "One task", parameters: [Self.fields],
                    answers: [APIAnswer(200, "How far it is", Self.someMembers(of: task))]
                ) { try await service.one(kind, $0["id"], $0.request, of: $0.caller) },
            ]
        }
    }

    /// `fields` leaves members out.
    static func someMembers(of schema: JSONValue) -> JSONValue {
        ["anyOf": [schema, ["type": "object"]]]
    }

    private static func filter(_ name: String) -> APIParameter {
        switch name {
        case "perceivedSeverity": .choices(name, "as they are now", of: APISchemas.severities)
        case "state": .choices(name, "`raised` and `updated` go on", of: APISchemas.alarmStates)
        case "ackState": .choices(name, "by the tenant", of: ["acknowledged", "unacknowledged"])
        case "plmn":
            APIParameter(
                name, "the network they are about",
                ["type": "string", "pattern": "^([0-9]{5,6}|unknown)(,([0-9]{5,6}|unknown)){0,9}$"])
        case "place": .text(name, "a quadkey in which they lie", pattern: "^[0-3]{1,16}(,[0-3]{1,16}){0,9}$")
        case _ where name.contains("Time"): .time(name, "compared by what stands behind the point")
        default: .text(name, "equal", pattern: "^[A-Za-z0-9 /:._-]{1,100}$")
        }
    }
}

extension TMFTaskKind {
    fileprivate var summary: String {
        switch self {
        case .ackAlarms: "Acknowledges alarms"
        case .unAckAlarms: "Takes acknowledgements back"
        case .clearAlarms: "Ends alarms by hand"
        case .commentAlarms: "Adds a comment to alarms"
        case .groupAlarms: "Puts alarms under another one"
        case .unGroupAlarms: "Takes alarms out of a group"
        }
    }

    /// What is ordered. `state`, who and when are taken from nobody.
    fileprivate var schema: JSONValue {
        if isOfGroup {
            let alarm = APISchemas.object(["id": ["type": "string", "format": "alarm"]])
            return APISchemas.closed(
                [
                    "parentAlarm": alarm,
                    "correlatedAlarm": [
                        "type": "array", "items": alarm, "minItems": 1, "uniqueItems": true,
                        "maxItems": .integer(Int64(AlarmHandling.mostChildren)),
                    ], names.system: APISchemas.said, names.time: APISchemas.text, "state": APISchemas.text,
                    done: ["type": "array"],
                ], required: ["parentAlarm", "correlatedAlarm"])
        }
        let texts = ["id", "alarmType", "probableCause", "alarmedObjectType", "scope", "rule", "owner"]
        var members: [String: JSONValue] = [
            "alarmPattern": APISchemas.pattern(texts), "state": APISchemas.text, done: ["type": "array"],
        ]
        if self == .commentAlarms {
            members["comment"] = APISchemas.newComment
            return APISchemas.closed(members, required: ["alarmPattern", "comment"])
        }
        members[names.system] = APISchemas.said
        if let user = names.user { members[user] = APISchemas.text }
        members[names.time] = APISchemas.text
        return APISchemas.closed(members, required: ["alarmPattern"])
    }
}
