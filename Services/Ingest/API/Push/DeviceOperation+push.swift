internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

extension DeviceOperation {
    /// Questions by Web Push.
    static let push: [DeviceOperation] = [
        DeviceOperation(
            route: .push, method: "GET", id: "showPush",
            summary: "Tells whether a browser is asked about alarms that its reports helped to raise",
            description: "`vapid_key` is by whom the browser lets itself be told (RFC 8292); null: nobody asks here.",
            answers: [pushAnswer]),
        DeviceOperation(
            route: .push, method: "PUT", id: "setPush", summary: "Has a browser asked, instead of the one before",
            description: """
                The body is the browser's `PushSubscription.toJSON()`. It is sealed before anything else is done with it and never \
                told again. It ends with the consent to `measurement`.
                """,
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("PushSubscription"), examples: ["a browser": subscription])
            ],
            answers: [pushAnswer],
            problems: jsonProblems + [.noMeasurementConsent, .pushKeyUnknown, .journalFull, .diskFull]),
        DeviceOperation(
            route: .push, method: "DELETE", id: "removePush", summary: "Has the browser asked no more",
            answers: [pushAnswer], problems: [.journalFull, .diskFull]),
    ]

    private static let subscription: JSONValue = [
        "endpoint": "https://push.example.org/send/1", "expirationTime": .null,
        "keys": [
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        ],
    ]

    private static let pushAnswer = APIAnswer(
        200, "As it stands", schema: APISchemas.reference("Push"), example: ["is_on": false, "vapid_key": .null])
}

extension APISchemas {
    static let pushState: JSONValue = object(
        [
            "is_on": ["type": "boolean"],
            "vapid_key": [
                "type": ["string", "null"], "description": "P-256, X9.63, base64url: the `applicationServerKey`",
            ],
            "since": time, "since_ms": milliseconds,
        ], optional: ["since", "since_ms"])

    static let pushSubscription: JSONValue = object(
        [
            "endpoint": [
                "type": "string", "format": "uri", "pattern": "^https://", "maxLength": 2_048,
                "description": "where the browser's push service is, a host of the internet",
            ],
            "expirationTime": ["type": ["integer", "null"]],
            "keys": object([
                "p256dh": ["type": "string", "description": "65 bytes in base64url, a point of P-256"],
                "auth": ["type": "string", "description": "16 bytes in base64url"],
            ]),
        ], optional: ["expirationTime"])
}
