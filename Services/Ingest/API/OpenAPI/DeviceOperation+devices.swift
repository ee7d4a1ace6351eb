internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

extension DeviceOperation {
    /// Enrolment and consent.
    static let devices: [DeviceOperation] = [
        DeviceOperation(
            route: .enrol, method: "POST", id: "enrol", summary: "Enrols a phone",
            description: "The only call without a token; it tells one.",
            bodies: [
                APIBody("application/json", APISchemas.reference("Enrolment"), examples: ["plain": enrolment])
            ],
            answers: [
                APIAnswer(
                    201, "Enrolled", schema: APISchemas.reference("Enrolled"),
                    example: [
                        "device_id": "2c1f9a40-7d1b-4c8e-9f0a-5b6c7d8e9f01",
                        "token": "Zm9yIGV4YW1wbGUgb25seSwgbm90IGEgcmVhbCB0b2tl",
                    ])
            ],
            problems: consentProblems + [
                .activationRequired, .activationNotAvailable, .activationCodeInvalid, .storageFailed,
            ]),
        DeviceOperation(
            route: .consent, method: "GET", id: "showConsent", summary: "Tells what the subscriber allows",
            answers: [consentAnswer]),
        DeviceOperation(
            route: .consent, method: "PUT", id: "changeConsent", summary: "Replaces what the subscriber allows",
            description: """
                Holds for every later request from the answer on. A signature is checked if there is one; a device that has \
                signed one change signs each later one that allows more.
                """,
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("ConsentChange"),
                    examples: [
                        "measurement only": ["consent": ["measurement": true], "policy_version": "2026-1"],
                        "a child": [
                            "consent": ["measurement": true], "policy_version": "2026-1", "age_band": "under_16",
                            "guardian": true,
                        ],
                    ])
            ],
            answers: [consentAnswer], problems: consentProblems + [.signatureReplayed], isSigned: true),
    ]

    /// What may be wrong with a body that is one JSON object.
    static let jsonProblems: [ProblemCode] = [
        .unsupportedType, .unsupportedEncoding, .malformed, .notAnObject, .missingField, .wrongType, .outOfRange,
        .badFormat,
    ]

    private static let consentProblems = jsonProblems + [.guardianRequired, .journalFull, .diskFull]

    private static let enrolment: JSONValue = [
        "platform": "android", "app_version": "1.0", "policy_version": "2026-1",
        "consent": ["measurement": true, "location_precise": true, "call_events": true, "rewards": true],
    ]

    private static let consentAnswer = APIAnswer(
        200, "What is allowed, and since when", schema: APISchemas.reference("ConsentState"),
        example: [
            "consent": .object(
                Dictionary(uniqueKeysWithValues: Consent.purposes.map { ($0.name, .bool($0.purpose == .measurement)) })),
            "policy_version": "2026-1", "version": 1, "changed_at": "2026-11-21T08:30:00.000Z",
            "changed_at_ms": 1_795_249_800_000,
        ])
}

extension DeviceOperation {
    /// What anybody may read before they enrol.
    static let beginning: [DeviceOperation] = [
        DeviceOperation(
            route: .policy, method: "GET", id: "showPolicy", summary: "Tells the privacy policy",
            description: "The enrolment names its `version` as `policy_version`; another word is another version.",
            parameters: [
                APIParameter.query(
                    "lang", "which of its languages; `en` if it is left out", ["enum": ["en", "fr"]], example: "fr"),
                APIParameter.ifNoneMatch,
            ],
            answers: [
                APIAnswer(
                    200, "The text in one language", schema: APISchemas.reference("Policy"),
                    example: [
                        "version": "0f1e2d3c4b5a6978", "lang": "en",
                        "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                        "text": "Your data …",
                    ], headers: APIAnswer.tagged),
                APIAnswer(304, "It is what was named", headers: APIAnswer.tagged),
            ], problems: [.notFound, .outOfRange]),
        DeviceOperation(
            route: .operators, method: "GET", id: "showOperators", summary: "Tells the operators of the country",
            description: "For the choice by hand, where a platform hides the SIM card.",
            parameters: [APIParameter.ifNoneMatch],
            answers: [
                APIAnswer(
                    200, "Those that this deployment knows", schema: APISchemas.reference("Operators"),
                    example: ["operators": [["plmn": "62401", "name": "MTN"]]], headers: APIAnswer.tagged),
                APIAnswer(304, "They are those that were named", headers: APIAnswer.tagged),
            ]),
    ]
}

extension DeviceOperation {
    /// A second proof that it is the person who asks.
    static let passkeys: [DeviceOperation] = [
        DeviceOperation(
            route: .passkey, method: "GET", id: "showPasskey", summary: "Tells whether a passkey is asked for",
            answers: [passkeyAnswer]),
        DeviceOperation(
            route: .passkey, method: "POST", id: "challengePasskey", summary: "Makes a challenge for a passkey to sign",
            description: "One of a device at a time; it counts once, for five minutes.",
            answers: [APIAnswer(201, "Made", schema: APISchemas.reference("PasskeyChallenge"))],
            problems: [.notFound]),
        DeviceOperation(
            route: .passkey, method: "PUT", id: "setPasskey",
            summary: "Has a passkey asked for before copies and erasures",
            description: "What the browser says of one that it has made by the open challenge (WebAuthn).",
            bodies: [
                APIBody("application/json", APISchemas.reference("PasskeyMade"), examples: ["P-256": passkeyMade])
            ],
            answers: [passkeyAnswer],
            problems: jsonProblems + [.notFound, .signatureReplayed, .passkeyRequired, .passkeyInvalid, .diskFull],
            isSigned: true),
        DeviceOperation(
            route: .passkey, method: "DELETE", id: "removePasskey", summary: "Turns the passkey off",
            parameters: [APIParameter.passkey], answers: [passkeyAnswer],
            problems: [.notFound, .signatureReplayed, .passkeyRequired, .passkeyInvalid, .diskFull], isSigned: true),
    ]

    private static let passkeyMade: JSONValue = [
        "client_data": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
        "authenticator_data": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M",
        "public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE", "algorithm": -7,
    ]

    private static let passkeyAnswer = APIAnswer(200, "As it stands", schema: APISchemas.reference("Passkey"))
}
