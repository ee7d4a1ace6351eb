internal import ServiceKit

/// The named schemas of the document.
enum APISchemas {
    static let all: [String: JSONValue] = [
        "Problem": problem, "Alarm": alarm, "AlarmList": alarmList, "AlarmReference": alarmReference, "Task": task,
        "AlarmHistory": history, "TMFTask": tmfTask, "TMFComment": tmfComment, "Session": session,
        "SessionState": sessionState, "Status": status, "Heatmap": heatmap, "Events": events, "Engagement": engagement,
        "Campaigns": campaigns,
        "Schedule": schedule, "Escalation": escalation, "Maintenance": maintenance, "ExportList": exportList,
        "ReleaseList": releaseList,
        "SiteTask": siteTask, "SensorReading": sensorReading, "SiteDocument": anySiteDocument,
        "Rule": rule, "RuleTest": ruleTest, "Channel": channel, "TMFListener": listener, "ErasureNotice": notice,
        "ErasureNotices": notices, "Erasures": erasures, "KPIs": kpis, "Comparison": comparison, "CellRows": cellRows,
        "Words": words, "Density": density, "DensityFault": densityFault,
        "ReleasedKPIs": releasedSeries, "ReleasedComparison": releasedComparison, "ReleasedHeatmap": releasedMap,
        "Regions": regions, "Relation": relation, "Scores": scores, "ScoreProfiles": scoreProfiles,
    ]

    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// An object all of whose members but the optional ones are there.
    static func object(_ properties: [String: JSONValue], optional: Set<String> = []) -> JSONValue {
        let required = properties.keys.filter { !optional.contains($0) }.sorted()
        return [
            "type": "object", "properties": .object(properties), "required": .array(required.map { .string($0) }),
        ]
    }

    static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    static func list(_ items: JSONValue, _ counts: ClosedRange<Int64>) -> JSONValue {
        [
            "type": "array", "items": items, "minItems": .integer(counts.lowerBound),
            "maxItems": .integer(counts.upperBound),
        ]
    }

    /// An object that has these members and no other.
    static func only(_ properties: [String: JSONValue], _ required: [String]) -> JSONValue {
        [
            "type": "object", "properties": .object(properties), "required": .array(required.map { .string($0) }),
            "additionalProperties": false,
        ]
    }

    /// A member of what is set: null is as if it were left out.
    static func maybe(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }
    static func words(_ words: [String]) -> JSONValue { ["enum": .array(words.map { .string($0) })] }
    static func orNull(_ type: String) -> JSONValue { ["type": [.string(type), "null"]] }

    static let text: JSONValue = ["type": "string"]
    static let flag: JSONValue = ["type": "boolean"]
    static let count: JSONValue = ["type": "integer", "minimum": 0]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let milliseconds: JSONValue = ["type": "integer", "description": "Unix milliseconds"]
    static let severities = ["critical", "major", "minor", "warning", "indeterminate", "cleared"]
    static let alarmStates = ["raised", "updated", "cleared"]

    private static let problem: JSONValue = object(
        [
            "type": ["type": "string", "pattern": "^urn:nkul:problem:[a-z0-9_]+$"], "title": text,
            "status": ["type": "integer", "minimum": 400, "maximum": 599],
            "code": [
                "type": "string", "pattern": "^[a-z0-9_]+$", "description": "what programs tell problems apart by",
            ],
            "detail": ["type": "string", "description": "what is particular to this occurrence, and what is allowed"],
            "field": ["type": "string", "description": "the parameter or member at fault"],
        ], optional: ["detail", "field"])

    // MARK: - Session and status

    private static let session: JSONValue = object(
        [
            "tenant": text, "regulator": flag, "contact": text, "role": words(["viewer", "engineer", "manager"]),
            "now_ms": milliseconds, "clock": words(["wall", "recording"]), "clock_speed": ["type": "number"],
            "contacts": list(text), "time_zone": text, "metrics": list(text), "technologies": list(text),
            "operators": list(object(["plmn": text, "name": text])),
            "networks": list(object(["plmn": text, "name": text])), "base_map": text,
        ], optional: ["base_map"])

    private static let sessionState: JSONValue = object([
        "logged_in": flag, "now_ms": milliseconds, "clock": words(["wall", "recording"]),
        "clock_speed": ["type": "number"],
    ])

    private static let status: JSONValue = object([
        "now": time, "now_ms": milliseconds, "late": flag,
        "figures": [
            "type": "object",
            "additionalProperties": object([
                "complete_to": ["type": ["string", "null"], "format": "date-time"], "complete_to_ms": orNull("integer"),
                "late": flag, "missing": list(text),
            ]),
        ],
        "services": list(object(["service": text, "state": text, "silent_ms": count])),
    ])

    // MARK: - Erasure

    private static let notice: JSONValue = object(
        [
            "id": ["type": "string", "pattern": "^[0-9a-f]{32}$"], "day": ["type": "string", "format": "date"],
            "device": text, "rows": count, "scope": words(["everything", "part"]), "captured_from_ms": milliseconds,
            "captured_to_ms": milliseconds, "since": ["type": "string", "format": "date"],
            "acknowledged": object(["contact": text, "at_ms": milliseconds]),
        ], optional: ["captured_from_ms", "captured_to_ms", "acknowledged"])

    private static let notices: JSONValue = object(
        ["notices": list(reference("ErasureNotice")), "next": text], optional: ["next"])

    private static let erasures: JSONValue = object(
        [
            "now_ms": milliseconds, "counts": object(["pending": count, "in_progress": count, "completed": count]),
            "oldest_open_age_ms": count, "late": count, "completed_late": count,
            "completed_took": object(["p50_ms": count, "max_ms": count]), "next": text,
            "erasures": list(
                object(
                    [
                        "request": text, "state": words(["pending", "in_progress", "completed"]),
                        "source": words(["device", "operator", "restore"]), "scope": words(["everything", "part"]),
                        "requested_at_ms": milliseconds, "due_at_ms": milliseconds, "completed_at_ms": milliseconds,
                        "late": flag, "signed": list(object(["service": text, "signed_at_ms": milliseconds])),
                    ], optional: ["completed_at_ms"])),
        ], optional: ["oldest_open_age_ms", "completed_took", "next"])
}
