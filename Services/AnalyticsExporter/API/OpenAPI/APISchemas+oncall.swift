internal import ServiceKit

extension APISchemas {
    static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    /// A contact of the tenant; whether there is one is known when the document comes.
    static let contactName: JSONValue = ["type": "string", "format": "contact", "minLength": 1, "maxLength": 64]
    /// A zone of the IANA database.
    static let zoneName: JSONValue = ["type": "string", "format": "zone", "description": "IANA: Africa/Douala, UTC"]
    private static let instant: JSONValue = [
        "anyOf": [
            ["type": "string", "format": "date-time"],
            ["type": "integer", "minimum": 0, "maximum": 32_503_679_999_999],
        ],
        "description": "RFC 3339 or Unix milliseconds",
    ]
    /// 24:00 is the end of the day.
    static let minute: JSONValue = ["type": "string", "pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"]
    private static let hours: [String: JSONValue] = [
        "days": ["type": "array", "minItems": 1, "maxItems": 7, "uniqueItems": true, "items": words(weekdays)],
        "from": ["type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"], "to": minute,
    ]

    private static func texts(_ pattern: String, most: Int64) -> JSONValue {
        list(["type": "string", "pattern": .string(pattern)], 1...most)
    }

    /// Which alarms a document is about.
    private static let filter: JSONValue = only(
        [
            "severity": maybe(words(Array(severities.dropLast()))),
            "rules": maybe(list(["type": "string", "minLength": 1, "maxLength": 64], 1...100)),
            "networks": maybe(texts("^[0-9]{5,6}$", most: 100)), "places": maybe(texts("^[0-3]{1,16}$", most: 1_000)),
        ], [])

    // MARK: - What is set

    /// What a manager sets, as `docs/oncall.md` has it.
    static func onCallDocument(_ kind: OnCallKind) -> JSONValue {
        switch kind {
        case .schedule:
            only(["zone": zoneName, "shifts": shifts, "overrides": maybe(overrides)], ["zone", "shifts"])
        case .escalation: only(["filter": maybe(filter), "steps": steps], ["steps"])
        case .maintenance:
            [
                "anyOf": [
                    only(work.merging(["from": instant, "to": instant]) { $1 }, ["from", "to", "reason"]),
                    only(work.merging(["weekly": weekly]) { $1 }, ["weekly", "reason"]),
                ]
            ]
        }
    }

    private static let shifts = list(
        only(hours.merging(["contact": contactName]) { $1 }, ["days", "from", "to", "contact"]), 1...100)
    private static let overrides = list(
        only(["from": instant, "to": instant, "contact": contactName], ["from", "to", "contact"]), 0...100)
    private static let weekly = only(hours.merging(["zone": zoneName]) { $1 }, ["days", "from", "to", "zone"])

    /// A step calls contacts, or who is on call by a schedule, or a channel.
    private static let steps: JSONValue = {
        let wait: JSONValue = maybe(["type": "integer", "minimum": 0, "maximum": 1_440])
        let targets: [(String, JSONValue)] = [
            ("contacts", list(contactName, 1...20)),
            ("schedule", ["type": "string", "format": "schedule", "minLength": 1, "maxLength": 64]),
            ("channel", ["type": "string", "format": "channel", "minLength": 1, "maxLength": 64]),
        ]
        return list(["anyOf": .array(targets.map { only(["after_minutes": wait, $0: $1], [$0]) })], 1...20)
    }()

    private static let work: [String: JSONValue] = [
        "filter": maybe(filter),
        "reason": [
            "type": "string", "minLength": 1, "maxLength": 1_000, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
        ],
    ]

    // MARK: - What is shown

    private static func shown(_ members: [String: JSONValue], optional: Set<String>) -> JSONValue {
        object(members.merging(["id": text, "tenant": text]) { $1 }, optional: optional)
    }

    static let schedule = shown(
        ["zone": zoneName, "shifts": shifts, "overrides": maybe(overrides)], optional: ["overrides"])

    static let escalation = shown(["filter": maybe(filter), "steps": steps], optional: ["filter"])

    static let maintenance = shown(
        work.merging(["from": instant, "to": instant, "weekly": weekly]) { $1 },
        optional: ["filter", "from", "to", "weekly"])
}
