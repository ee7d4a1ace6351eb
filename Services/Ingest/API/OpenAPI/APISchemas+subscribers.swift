internal import IngestSupport
internal import Models
internal import QoE
internal import ServiceKit

extension APISchemas {
    static func payout(_ operators: OperatorTable) -> JSONValue {
        let numbers = operators.patterns.map { $0.replacing("+", with: "\\+").replacing(".", with: "[0-9]") }
        let names = operators.entries.map { "\($0.plmn.text) is \($0.name)" }.joined(separator: ", ")
        return object([
            "phone": [
                "type": "string", "pattern": .string("^(\(numbers.joined(separator: "|")))$"),
                "description": "E.164; one that an operator of this deployment can have",
            ],
            "operator": [
                "enum": .array(operators.entries.map { .string($0.plmn.text) }),
                "description": .string("MCC and MNC of who serves the number: \(names)"),
            ],
        ])
    }

    static let payoutAccepted: JSONValue = object([
        "phone": ["type": "string", "description": "all but its last two digits covered"], "operator": text,
        "accepted_at": time,
        "accepted_at_ms": milliseconds,
    ])

    /// As providers write it; one of the names is there, at the top or in `data` or `transaction`.
    static let callback: JSONValue = [
        "type": "object",
        "description": """
        our reference as `customIdentifier`, `external_id`, `externalId` or `referenceId`, or the provider's own name of the order as \
        `transactionId`, `requestId` or `id`
        """,
        "properties": [
            "externalId": ["type": "string", "pattern": "^[0-9a-f]{32}$"],
            "requestId": ["type": "string", "pattern": "^[A-Za-z0-9_.-]{1,128}$"],
        ],
        "anyOf": [["required": ["externalId"]], ["required": ["requestId"]]],
    ]

    static let callbackAccepted: JSONValue = object(["accepted_at": time, "accepted_at_ms": milliseconds])

    static let impact: JSONValue = object(
        [
            "alarms": [
                "type": "array", "maxItems": .integer(Int64(PageQuery.most)),
                "items": object(
                    [
                        "id": text, "rule": text, "severity": text, "state": text, "acknowledged": ["type": "boolean"],
                        "raised_at": time, "raised_at_ms": milliseconds, "cleared_at": time,
                        "cleared_at_ms": milliseconds, "cell": ["type": "string", "description": "quadkey"],
                        "reports_of_mine": count, "first_report_at": time, "first_report_at_ms": milliseconds,
                    ], optional: ["cleared_at", "cleared_at_ms", "cell"]),
            ],
            "next": ["type": "string", "description": "where the next page begins; left out on the last one"],
            "counts": object(["helped": count, "cleared": count]), "as_of": time, "as_of_ms": milliseconds,
        ], optional: ["next", "as_of", "as_of_ms"])

    static let progress: JSONValue = object(
        [
            "today": ["type": "string", "format": "date"],
            "streaks": [
                "type": "array",
                "items": object(
                    [
                        "measure": text, "days": count, "best": count,
                        "until": [
                            "type": "string", "format": "date",
                            "description": "the last day on which it can be continued",
                        ],
                    ], optional: ["until"]),
            ],
            "goals": [
                "type": "array",
                "items": object([
                    "goal": text, "measure": text, "period": ["enum": ["day", "week", "month"]], "target": count,
                    "done": count, "times_met": count,
                ]),
            ],
            "badges": [
                "type": "array", "items": object(["badge": text, "day": ["type": "string", "format": "date"]]),
            ],
            "totals": ["type": "object", "additionalProperties": count],
            "as_of": time, "as_of_ms": milliseconds,
        ], optional: ["as_of", "as_of_ms"])

    static let nickname: JSONValue = object([
        "nickname": [
            "type": ["string", "null"], "minLength": 2, "maxLength": 24,
            "description": """
            letters, digits, blanks, - _ and .; a letter or digit at both ends; not seven digits in a row; null: not shown
            """,
        ]
    ])

    static let standings: JSONValue = object(
        [
            "nickname": ["type": ["string", "null"], "description": "null: not shown"],
            "standings": [
                "type": "array",
                "items": object([
                    "measure": text, "period": ["enum": ["week", "month"]],
                    "from": ["type": "string", "format": "date"], "until": ["type": "string", "format": "date"],
                    "count": ["type": "integer", "minimum": 0, "description": "how many are in it"],
                    "lines": [
                        "type": "array",
                        "items": object([
                            "rank": ["type": "integer", "minimum": 1], "nickname": text, "score": count,
                            "own": ["type": "boolean"],
                        ]),
                    ],
                ]),
            ],
            "as_of": time, "as_of_ms": milliseconds,
        ], optional: ["as_of", "as_of_ms"])

    static let promptPolicy: JSONValue = object(
        [
            "policy_version": ["type": "string", "description": "to be sent back with what became of prompts"],
            "time_zone": ["type": "string", "description": "of quiet hours and of the days of `daily_maximum`"],
            "rules": rules, "pause": pause, "quiet_hours": quietHours,
            "daily_maximum": ["type": "integer", "minimum": 0, "description": "prompts of a local day; 0: never ask"],
            "emergency_bypass": [
                "type": "boolean",
                "description": "prompts about an emergency mind neither pauses nor quiet hours nor maximum",
            ],
            "medians": [
                "type": "array",
                "description": "of cells of networks, as released; the one without digits is the whole network",
                "items": object(["plmn": text, "quadkey": text, "download_kbps": count]),
            ],
            "medians_as_of": ["type": ["string", "null"], "format": "date-time"],
        ], optional: ["quiet_hours"])

    static let samplingPolicy: JSONValue = object([
        "policy_version": ["type": "string", "minLength": 1, "maxLength": 64],
        "moving_seconds": limited("seconds between two samples while the phone moves", "moving_seconds"),
        "still_seconds": limited("while it lies still", "still_seconds"),
        "low_battery": object([
            "below_percent": limited("of a full battery under which it is low", "low_battery.below_percent"),
            "factor": limited("so many times as long between two samples then", "low_battery.factor"),
        ]),
        "least_battery_percent": limited("nothing is measured below it", "least_battery_percent"),
        "tests": object([
            "every_seconds": limited("between two tests of the connection; 0: none", "tests.every_seconds"),
            "wifi_bytes": limited("most that a test takes by Wi-Fi or cable", "tests.wifi_bytes"),
            "mobile_bytes": limited("most that it takes of mobile data; 0: none there", "tests.mobile_bytes"),
        ]),
    ])

    private static func limited(_ description: String, _ field: String) -> JSONValue {
        let range = SamplingRules.ranges.first { $0.field == field }?.range ?? 0...0
        return [
            "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            "description": .string(description),
        ]
    }

    /// A rule that is not there is off.
    private static let rules: JSONValue = object(
        [
            "call_drop": object(["drops": count, "within_minutes": count]),
            "slow_speed": object(
                ["below_percent": count, "without_median_below_kbps": count], optional: ["without_median_below_kbps"]),
            "no_service": object(["after_seconds": count]),
        ], optional: ["call_drop", "slow_speed", "no_service"])

    private static let pause: JSONValue = object([
        "between_minutes": count, "after_ignored_minutes": count, "factor": count, "longest_minutes": count,
    ])

    private static let quietHours: JSONValue = object(["from": clock, "to": clock])

    private static let clock: JSONValue = ["type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"]

    static let policy: JSONValue = object([
        "version": ["type": "string", "pattern": "^[0-9a-f]{16}$"], "lang": ["enum": ["en", "fr"]],
        "sha256": ["type": "string", "pattern": "^[0-9a-f]{64}$", "description": "of the text in UTF-8"], "text": text,
    ])

    static let operatorList: JSONValue = object([
        "operators": [
            "type": "array",
            "items": object(["plmn": ["type": "string", "description": "MCC and MNC"], "name": text]),
        ]
    ])
}
