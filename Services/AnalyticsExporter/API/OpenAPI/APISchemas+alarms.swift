internal import Channels
internal import ServiceKit

extension APISchemas {
    static let alarmReference: JSONValue = object(["id": text, "href": text], optional: ["href"])

    static let tmfComment: JSONValue = object(
        ["userId": text, "systemId": text, "time": time, "comment": text], optional: ["systemId"])

    /// An alarm as its tenant sees it: TMF642's members, and ours.
    static let alarm: JSONValue = object(
        alarmMembers,
        optional: Set(alarmMembers.keys).subtracting([
            "id", "perceivedSeverity", "state", "ackState", "alarmRaisedTime",
        ]))

    private static let alarmMembers: [String: JSONValue] = [
        "id": text, "href": text, "@type": text, "alarmType": text, "perceivedSeverity": words(severities),
        "probableCause": text, "specificProblem": text, "state": words(alarmStates),
        "ackState": words(["acknowledged", "unacknowledged"]), "ackUserId": text, "ackSystemId": text,
        "clearUserId": text, "clearSystemId": text, "sourceSystemId": text, "serviceAffecting": flag,
        "alarmRaisedTime": time, "alarmReportingTime": time, "alarmChangedTime": time, "alarmClearedTime": time,
        "alarmedObject": object(["id": text, "@referredType": text], optional: ["@referredType"]),
        "place": list(object(["id": text, "role": text], optional: ["role"])), "plmn": text, "scope": text,
        "rule": text, "cell": text, "parentAlarm": list(reference("AlarmReference")),
        "correlatedAlarm": list(reference("AlarmReference")), "children": count, "devices": count, "records": count,
        "comment": list(reference("TMFComment")), "handlingVersion": count, "acknowledgedAt": time,
        "acknowledgedUntil": time, "owner": text, "offeredTo": text, "offeredBy": text, "offerNote": text,
        "sensor": reference("SensorReading"), "shelvedUntil": time, "shelvedBy": text, "shelvedReason": text,
        "useful": count, "notUseful": count, "suppressedBy": text, "flapping": flag, "plannedOutageIndicator": text,
        "plannedBy": text, "plannedReason": text, "plannedUntil": time, "escalationStep": count, "escalatedAt": time,
        "escalatesAt": time, "called": list(text),
    ]

    static let alarmList: JSONValue = object(
        [
            "last_event_id": ["type": "integer", "description": "where the stream of changes continues"],
            "complete_to": ["type": ["string", "null"], "format": "date-time"], "complete_to_ms": orNull("integer"),
            "alarms": list(reference("Alarm")),
            "next": ["type": "string", "description": "`cursor` of the next page; left out on the last"],
        ], optional: ["next"])

    static let task: JSONValue = object(
        [
            "id": text, "href": text, "alarm": text, "act": text, "state": words(["pending", "done", "failed"]),
            "contact": text, "created": time, "decided": time, "code": text, "reason": text, "version": count,
            "to": text, "parent": text, "text": text, "until": time, "useful": flag,
        ], optional: ["decided", "code", "reason", "version", "to", "parent", "text", "until", "useful"])

    static let history: JSONValue = object([
        "id": text,
        "states": list(object(["at": time, "severity": words(severities), "state": words(alarmStates)])),
        "acts": list(reference("Task")),
        "deliveries": list(
            object(
                [
                    "id": text, "channel": text, "transition": text, "state": words(["waiting", "delivered", "dead"]),
                    "at": time, "reason": text,
                ], optional: ["reason"])),
    ])

    static let rule: JSONValue = object(["id": text, "document": ["type": "object"]])

    static let ruleTest: JSONValue = {
        func moments(_ names: String...) -> [String: JSONValue] {
            names.reduce(into: [:]) { members, name in
                members[name] = time
                members[name + "_ms"] = milliseconds
            }
        }
        let alarm = moments("raised", "told", "cleared").merging([
            "owner": text, "severity": words(severities), "devices_at_least": count, "children": count,
            "is_child": flag, "cell": orNull("string"), "object": text,
        ]) { $1 }
        let open: Set = ["cleared", "cleared_ms", "cell", "object"]
        let told = alarm.merging(["began_before": flag]) { $1 }
        return object(
            moments("from", "to", "tested_to", "read_from").merging([
                "id": text, "alarm_count": count, "rows": count, "rows_late": count, "rows_unplaced": count,
                "left_out": list(words(RuleTestRun.Stop.allCases.map(\.rawValue) + ["unshared", "windows"])),
                "alarms": list(
                    object(
                        told.merging(["in_force": maybe(object(alarm, optional: open))]) { $1 }, optional: open)),
                "in_force": object([
                    "alarm_count": count, "is_same": flag, "gone": list(object(told, optional: open)),
                ]),
            ]) { $1 }, optional: ["in_force"])
    }()

    static let channel: JSONValue = object(
        [
            "id": text, "kind": words(Channel.kinds), "tenant": text, "url": text, "to": text,
            "query": maybe(text), "contact": maybe(text), "tells": maybe(text), "filter": maybe(["type": "object"]),
            "per_minute": maybe(count), "resend_seconds": maybe(count), "digest_seconds": maybe(count),
            "has_secrets": ["type": "boolean", "description": "there are some, which are never shown"],
        ],
        optional: [
            "url", "to", "query", "contact", "tells", "filter", "per_minute", "resend_seconds", "digest_seconds",
        ])

    // MARK: - TMF642

    static let listener: JSONValue = object(["id": text, "callback": text, "query": text], optional: ["query"])

    /// What every task tells; the members that are named after its kind beside it.
    static let tmfTask: JSONValue = object(
        [
            "id": text, "href": text,
            "state": words(["acknowledged", "inProgress", "done", "terminatedWithError"]),
            "failedAlarm": list(
                object(["id": text, "href": text, "code": text, "reason": text], optional: ["href", "code", "reason"])),
        ], optional: ["failedAlarm"])

    /// What a call of TMF642 says of documents and takes for nothing.
    private static let meta: [String: JSONValue] = ["@type": text, "@baseType": text, "@schemaLocation": text]
    /// What people read.
    static let said: JSONValue = [
        "type": "string", "minLength": 1, "maxLength": 1_000,
        "pattern": "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]+$",
    ]

    /// An object that has these members and no other.
    static func closed(_ properties: [String: JSONValue], required: [String] = []) -> JSONValue {
        [
            "type": "object", "properties": .object(properties.merging(meta) { first, _ in first }),
            "required": .array(required.map { .string($0) }), "additionalProperties": false,
        ]
    }

    static let newComment: JSONValue = closed(
        ["comment": said, "systemId": said, "userId": text, "time": text], required: ["comment"])

    static let alarmPatch: JSONValue = [
        "type": "object",
        "properties": [
            "ackState": words(["acknowledged", "unacknowledged"]), "ackSystemId": said, "ackUserId": said,
            "comment": ["oneOf": [newComment, ["type": "array", "items": newComment, "minItems": 1, "maxItems": 20]]],
            "state": ["const": "cleared"], "clearSystemId": said, "clearUserId": said, "handlingVersion": count,
            "@type": text, "@baseType": text, "@schemaLocation": text,
        ],
        "additionalProperties": false,
        "dependentRequired": [
            "ackSystemId": ["ackState"], "ackUserId": ["ackState"], "clearSystemId": ["state"],
            "clearUserId": ["state"],
        ],
    ]

    /// Alarms that a task means; `names` are those of attributes without a range of their own.
    static func pattern(_ names: [String]) -> JSONValue {
        var members = Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, ["type": "string", "pattern": "^[^,\\u0000-\\u001f\\u007f-\\u009f]{1,200}$"] as JSONValue)
            })
        members["perceivedSeverity"] = words(severities)
        members["state"] = words(alarmStates)
        members["ackState"] = words(["acknowledged", "unacknowledged"])
        members["plmn"] = ["type": "string", "pattern": "^([0-9]{5,6}|unknown)$"]
        members["alarmedObject"] = [
            "type": "object",
            "properties": ["id": ["type": "string", "pattern": "^[^,\\u0000-\\u001f\\u007f-\\u009f]{1,200}$"]],
            "required": ["id"],
            "additionalProperties": false,
        ]
        members["place"] = [
            "type": "array", "minItems": 1, "maxItems": 1,
            "items": object(["id": ["type": "string", "pattern": "^[0-3]{1,16}$"]]),
        ]
        return [
            "type": "array", "minItems": 1, "maxItems": 20,
            "items": [
                "type": "object", "properties": .object(members), "minProperties": 1, "additionalProperties": false,
            ],
        ]
    }
}
