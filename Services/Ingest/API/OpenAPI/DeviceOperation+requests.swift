internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

extension DeviceOperation {
    /// Access and erasure.
    static let requests: [DeviceOperation] = [
        DeviceOperation(
            route: .data, method: "POST", id: "requestData",
            summary: "Asks for everything that is held about this device",
            description: """
                Every service gives what it holds, sealed to a key that is made for this request and deleted after 24 hours. Who \
                has a request on the way is told that one; three requests in 24 hours are the most.
                """,
            parameters: [APIParameter.passkey],
            answers: [
                APIAnswer(202, "Taken", schema: APISchemas.reference("DataRequest"), headers: APIAnswer.retryAfter)
            ],
            problems: [.signatureReplayed, .passkeyRequired, .passkeyInvalid, .journalFull, .diskFull], isSigned: true),
        DeviceOperation(
            route: .dataRequest, method: "GET", id: "showDataRequest", summary: "Gives it, once it is gathered",
            description: """
                NDJSON: a summary in English and French, the JSON Schema of each kind of line, the lines, and a line of kind \
                `end`, without which the copy is not whole (`docs/access.md`). It can be read for 24 hours, as often as wanted.
                """,
            answers: [
                APIAnswer(
                    200, "Everything", type: "application/x-ndjson",
                    schema: ["type": "string", "description": "one JSON object a line"]),
                APIAnswer(
                    202, "Not there yet; `missing` names the services that are still to give",
                    schema: APISchemas.reference("DataRequest"),
                    headers: APIAnswer.retryAfter),
            ],
            problems: [.notFound, .dataExpired], isSigned: true),
        DeviceOperation(
            route: .erasures, method: "POST", id: "requestErasure",
            summary: "Asks for erasure of everything, or of the records of a time or an area",
            description: """
                Of everything: the token is worthless from the answer on, and every other call says `device_erased`; keep token and \
                `request_id` to ask how the erasure stands. Of a part: records captured until now; time and area are rounded \
                outward to 5 minutes and to cells. Records of it that come later are rejected, with code `erased`.
                """,
            parameters: [APIParameter.passkey],
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("ErasureWish"),
                    examples: [
                        "Everything": ["scope": ["all": true]],
                        "A week": [
                            "scope": ["from": "2025-09-01T00:00:00Z", "to": "2025-09-08T00:00:00Z"]
                        ],
                        "A quarter of a town": [
                            "scope": ["polygon": [[11.5, 3.84], [11.53, 3.84], [11.53, 3.87], [11.5, 3.87]]]
                        ],
                    ])
            ],
            answers: [APIAnswer(202, "Taken", schema: APISchemas.reference("Erasure"))],
            problems: jsonProblems + [
                .deviceErased, .signatureReplayed, .passkeyRequired, .passkeyInvalid, .journalFull, .diskFull,
            ], isSigned: true),
        DeviceOperation(
            route: .erasure, method: "GET", id: "showErasure", summary: "Tells how far an erasure is",
            description: "The token of an erased device may ask this for 30 days, without a signature.",
            answers: [APIAnswer(200, "How it stands", schema: APISchemas.reference("Erasure"))],
            problems: [.notFound, .deviceErased], isSigned: true),
    ]

    /// Of providers of rewards, not of phones.
    static let callbacks: [DeviceOperation] = ["POST", "PUT"].map { method in
        DeviceOperation(
            route: .callback, method: method, id: method == "POST" ? "callBack" : "putCallback",
            summary: "A provider of rewards says that there is news of an order",
            description: """
                The path is known to the provider alone (`nkul admin rewards callback`). The order is looked for under the names by \
                which providers write it, in JSON or in a form; nothing else is read. The dispatcher asks the provider then, and \
                believes what that answers.
                """,
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("Callback"),
                    examples: ["an order": ["externalId": "0f1e2d3c4b5a49788796a5b4c3d2e1f0", "status": "SUCCESSFUL"]]),
                APIBody(
                    "application/x-www-form-urlencoded", APISchemas.reference("Callback"),
                    examples: ["an order": ["requestId": "ATQid_1001", "status": "Success"]]),
            ],
            answers: [
                APIAnswer(
                    200, "Taken", schema: APISchemas.reference("CallbackAccepted"),
                    example: ["accepted_at": "2026-11-21T08:30:00.000Z", "accepted_at_ms": 1_795_249_800_000])
            ],
            problems: [
                .notFound, .unsupportedEncoding, .malformed, .notAnObject, .missingField, .journalFull, .diskFull,
                .storageFailed,
            ])
    }

    /// Documents that anybody may read.
    static let documents: [DeviceOperation] = [
        DeviceOperation(
            route: .openAPI, method: "GET", id: "showDocument", summary: "This document",
            parameters: [APIParameter.ifNoneMatch],
            answers: [
                APIAnswer(200, "OpenAPI 3.1", schema: ["type": "object"], headers: APIAnswer.tagged),
                APIAnswer(304, "It is the one that was named", headers: APIAnswer.tagged),
            ]),
        DeviceOperation(
            route: .keys, method: "GET", id: "showKeys", summary: "Public keys that verify receipts and audit heads",
            answers: [
                APIAnswer(200, "Those that services announced", schema: APISchemas.reference("VerificationKeys"))
            ],
            problems: [.storageFailed]),
    ]
}
