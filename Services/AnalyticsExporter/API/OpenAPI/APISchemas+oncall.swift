internal import ServiceKit

extension APISchemas {
    private static let contactName: JSONValue = ["type": "string", "minLength": 1, "maxLength": 64]
    private static let documentName: JSONValue = ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]

    private static func texts(_ pattern: String, most: Int64) -> JSONValue {
        [
            "type": "array", "minItems": 1, "maxItems": .integer(most),
            "items": ["type": "string", "pattern": .string(pattern)],
        ]
    }

    private static let hours: [String: JSONValue] = [
        "days": [
            "type": "array", "minItems": 1, "maxItems": 7, "uniqueItems": true,
            "items": words(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]),
        ],
        "from": ["type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"],
        "to": ["type": "string", "pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"],
    ]
    private static let zone: JSONValue = ["type": "string", "description": "of the IANA database: Africa/Douala, UTC"]
    private static let instant: JSONValue = [
        "type": ["string", "integer"], "description": "RFC 3339 or Unix milliseconds",
    ]

    /// Which alarms a document is about.
    private static let filter: JSONValue = object(
        [
            "severity": words(Array(severities.dropLast())), "rules": texts("^.{1,64}$", most: 100),
            "networks": texts("^[0-9]{5,6}$", most: 100), "places": texts("^[0-3]{1,16}$", most: 1_000),
        ], optional: ["severity", "rules", "networks", "places"])

    static let schedule: JSONValue = object(
        [
            "id": documentName, "tenant": text, "zone": zone,
            "shifts": [
                "type": "array", "minItems": 1, "maxItems": 100,
                "items": object(hours.merging(["contact": contactName]) { $1 }),
            ],
            "overrides": [
                "type": "array", "maxItems": 100,
                "items": object(["from": instant, "to": instant, "contact": contactName]),
            ],
        ], optional: ["id", "tenant", "overrides"])

    static let escalation: JSONValue = object(
        [
            "id": documentName, "tenant": text, "filter": filter,
            "steps": [
                "type": "array", "minItems": 1, "maxItems": 20,
                "items": object(
                    [
                        "after_minutes": ["type": "integer", "minimum": 0, "maximum": 1_440],
                        "contacts": ["type": "array", "minItems": 1, "maxItems": 20, "items": contactName],
                        "schedule": documentName, "channel": documentName,
                    ], optional: ["after_minutes", "contacts", "schedule", "channel"]),
            ],
        ], optional: ["id", "tenant", "filter"])

    static let maintenance: JSONValue = object(
        [
            "id": documentName, "tenant": text, "filter": filter, "from": instant, "to": instant,
            "reason": ["type": "string", "minLength": 1, "maxLength": 1_000],
            "weekly": object(hours.merging(["zone": zone]) { $1 }),
        ], optional: ["id", "tenant", "filter", "from", "to", "weekly"])
}
