internal import IngestSupport
internal import IngestUploads
internal import Models
internal import QoE
internal import ServiceKit

/// The named schemas of the document.
enum APISchemas {
    /// Those that are the same whatever the programmes.
    static let fixed: [String: JSONValue] = [
        "Problem": problem, "Receipt": receipt, "ReceiptItem": receiptItem,
        "Enrolment": enrolment, "Enrolled": enrolled, "ConsentChange": consentChange, "ConsentState": consentState,
        "Rewards": rewards, "Grant": grant, "PromptPolicy": promptPolicy,
        "SamplingPolicy": samplingPolicy,
        "PayoutAccepted": payoutAccepted, "Impact": impact, "Progress": progress, "Nickname": nickname,
        "Standings": standings, "Callback": callback, "CallbackAccepted": callbackAccepted,
        "ErasureWish": erasureWish, "Erasure": erasure, "ErasureReceipt": erasureReceipt,
        "Geosubmit": geosubmit, "UploadKey": uploadKey, "Policy": policy,
        "Operators": operatorList, "VerificationKeys": verificationKeys,
        "DataRequest": dataRequest, "Passkey": passkey, "PasskeyChallenge": passkeyChallenge,
        "PasskeyMade": passkeyMade, "Push": pushState, "PushSubscription": pushSubscription,
    ]

    /// All of them, with those of records and of payout numbers.
    static func all(_ programmes: Programmes, _ operators: OperatorTable) -> [String: JSONValue] {
        let schemas = fixed.merging(["Payout": payout(operators)]) { first, _ in first }
        return programmes.kinds.reduce(into: schemas) { $0[$1.description.schema] = RecordSchema($1.kind).object }
    }

    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// An object all of whose members but the optional ones are there.
    static func object(_ properties: [String: JSONValue], optional: Set<String> = []) -> JSONValue {
        let required = properties.keys.filter { !optional.contains($0) }.sorted()
        return [
            "type": "object", "properties": .object(properties), "required": .array(required.map { .string($0) }),
        ]
    }

    static let count: JSONValue = ["type": "integer", "minimum": 0]
    static let milliseconds: JSONValue = ["type": "integer", "description": "Unix milliseconds"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let text: JSONValue = ["type": "string"]

    // MARK: - Problems and receipts

    private static let problem: JSONValue = object(
        [
            "type": ["type": "string", "format": "uri", "description": "`urn:nkul:problem:` and the code"],
            "title": ["type": "string", "description": "for people; the same for every occurrence"],
            "status": ["type": "integer"],
            "code": ["enum": .array(ProblemCode.allCases.map { .string($0.rawValue) })],
            "detail": ["type": "string", "description": "what is particular to this occurrence"],
            "field": ["type": "string", "description": "the field, header or parameter at fault"],
            "request_id": ["type": "string", "description": "the request for erasure that is meant"],
        ], optional: ["detail", "field", "request_id"])

    private static let receipt: JSONValue = object(
        [
            "batch_id": ["type": "string", "pattern": "^[0-9a-f]{32}$"], "accepted": count,
            "duplicates": ["type": "integer", "minimum": 0, "description": "records that were known before"],
            "conflicts": [
                "type": "integer", "minimum": 0,
                "description": "records whose counter or id was known with other content, which stands",
            ],
            "rejected": count, "items": ["type": "array", "items": reference("ReceiptItem")],
            "unknown_columns": object([
                "count": ["type": "integer", "minimum": 1, "description": "columns of a CSV that are no fields"],
                "names": [
                    "type": "array", "items": text,
                    "description": "the first 16, in lower case, at most 40 bytes of each",
                ],
            ]),
        ], optional: ["unknown_columns"])

    private static let receiptItem: JSONValue = object(
        [
            "index": ["type": "integer", "minimum": 0, "description": "place in the upload, from 0"],
            "id": ["type": ["string", "null"], "format": "uuid", "description": "null where none could be read"],
            "status": ["enum": ["accepted", "duplicate", "conflict", "rejected"]],
            "code": [
                "enum": .array(
                    RowCode.allCases.map { .string($0.rawValue) } + ["seq_reused", "seq_conflict", "id_conflict"]),
                "description": """
                why it was rejected; `seq_reused`: accepted by its id, though the counter was used for another record before; \
                `seq_conflict`, `id_conflict`: the counter or the id is known with other content, which stands
                """,
            ],
            "field": text, "detail": text,
            "left_out": [
                "type": "array", "items": leftOutValue, "minItems": 1,
                "description": "values that cannot be: the record counts without them",
            ],
        ], optional: ["code", "field", "detail", "left_out"])

    private static let leftOutValue: JSONValue = object(
        [
            "field": text, "code": ["enum": .array(RowCode.allCases.map { .string($0.rawValue) })],
            "detail": [
                "type": "string",
                "description": .string("what stood there; of the first \(LeftOutValue.described) values of an upload"),
            ],
        ], optional: ["detail"])

    // MARK: - Device

    private static let shortText: JSONValue = ["type": "string", "minLength": 1, "maxLength": 128]

    /// What is allowed: no purpose that is not named.
    private static let purposes: JSONValue = [
        "type": "object",
        "properties": .object(
            Dictionary(uniqueKeysWithValues: Consent.purposes.map { ($0.name, ["type": ["boolean", "null"]]) })),
        "additionalProperties": ["type": ["boolean", "null"]],
        "description": "a purpose that is not named is not allowed",
    ]

    /// Members that enrolment and change of consent share.
    private static let consentMembers: [String: JSONValue] = [
        "consent": purposes, "policy_version": shortText,
        "age_band": ["enum": .array(AgeBand.allCases.map { .string($0.rawValue) } + [.null])],
        "guardian": [
            "type": ["boolean", "null"], "description": "a guardian has agreed; needed where `age_band` is `under_16`",
        ],
    ]

    /// Under 16 a guardian has agreed.
    private static func guarded(_ schema: JSONValue) -> JSONValue {
        guard case .object(var object) = schema else { return schema }
        object["if"] = ["required": ["age_band"], "properties": ["age_band": ["const": "under_16"]]]
        object["then"] = ["required": ["guardian"], "properties": ["guardian": ["const": true]]]
        return .object(object)
    }

    private static let consentChange = guarded(object(consentMembers, optional: ["age_band", "guardian"]))

    private static let enrolment: JSONValue = guarded(
        object(
            consentMembers.merging([
                "platform": shortText, "app_version": shortText,
                "activation_code": [
                    "type": ["string", "null"], "format": "activation-code", "minLength": 16, "maxLength": 64,
                    "description": "once, from whoever runs the programme",
                ],
                "device_key": [
                    "type": ["string", "null"], "format": "p256-public-key", "minLength": 86, "maxLength": 256,
                    "description": """
                    P-256 in base64 or base64url: the uncompressed point (X9.63), as iOS gives it, or a \
                    SubjectPublicKeyInfo (DER), as Android gives it; from then on some calls need its signature
                    """,
                ],
            ]) { $1 }, optional: ["age_band", "guardian", "activation_code", "device_key"]))

    private static let enrolled: JSONValue = object([
        "device_id": ["type": "string", "format": "uuid"],
        "token": ["type": "string", "pattern": "^[A-Za-z0-9_-]{43}$", "description": "told once; keep it secret"],
    ])

    private static let consentState: JSONValue = object([
        "consent": object(
            Dictionary(uniqueKeysWithValues: Consent.purposes.map { ($0.name, ["type": "boolean"]) })),
        "policy_version": text, "version": ["type": "integer", "minimum": 1, "description": "rises with each change"],
        "changed_at": time, "changed_at_ms": milliseconds,
    ])

    // MARK: - Rewards

    private static let rewards: JSONValue = object(
        [
            "balance": object(["paid_xaf": count, "pending_xaf": count, "currency": ["const": "XAF"]]),
            "grants": [
                "type": "array", "items": reference("Grant"), "maxItems": .integer(Int64(PageQuery.most)),
            ],
            "next": ["type": "string", "description": "where the next page begins; left out on the last one"],
            "grants_total": count, "grants_kept": count,
            "streak": object(["days": count, "best": count]),
            "badges": [
                "type": "array",
                "items": object(
                    [
                        "badge": ["enum": .array(Badge.allCases.map { .string($0.rawValue) })],
                        "feedbacks": count, "days": count,
                    ], optional: ["feedbacks", "days"]),
            ],
            "as_of": time, "as_of_ms": milliseconds,
        ], optional: ["next", "as_of", "as_of_ms"])

    private static let grant: JSONValue = object([
        "grant": text, "campaign": text, "record": text, "amount_xaf": count,
        "state": ["enum": .array(GrantState.allCases.map { .string($0.rawValue) })],
        "received_at": time, "received_at_ms": milliseconds, "changed_at": time, "changed_at_ms": milliseconds,
    ])
}
