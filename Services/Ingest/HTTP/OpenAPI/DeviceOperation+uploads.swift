internal import ServiceKit

extension DeviceOperation {
    /// Calls that bring records.
    static let uploads: [DeviceOperation] = [
        upload(
            .reports, "sendReports", "Sends what the phone measured", schema: "Report",
            example: [
                "seq": 1, "captured_at": "2026-11-21T08:30:00Z", "latitude": 4.0511, "longitude": 9.7679,
                "accuracy_m": 12, "network_type": "LTE", "mcc": "624", "mnc": "01", "rsrp_dbm": -97,
                "download_kbps": 8200,
            ],
            csv: "seq,captured_at_ms,network_type,mcc,mnc,rsrp_dbm\r\n1,1795249800000,LTE,624,01,-97\r\n"),
        upload(
            .feedback, "sendFeedback", "Sends how it felt", schema: "Feedback",
            example: [
                "seq": 2, "captured_at": "2026-11-21T08:31:00Z", "emoji": "😕", "comment": "no picture",
                "trigger": "voluntary",
                "network_type": "LTE", "mcc": "624", "mnc": "01",
            ],
            csv: "seq,captured_at_ms,rating,comment\r\n2,1795249860000,2,\"slow, then gone\"\r\n"),
        upload(
            .prompts, "sendPromptOutcomes", "Tells what became of prompts", schema: "PromptOutcome",
            example: [
                "seq": 3, "captured_at": "2026-11-21T08:32:00Z", "prompt_id": "p-17", "outcome": "answered",
                "policy_version": "1", "rule": "call_drop",
            ],
            csv: "seq,captured_at_ms,prompt_id,outcome,policy_version\r\n3,1795249920000,p-17,ignored,1\r\n"),
        DeviceOperation(
            route: .realtime, method: "GET", id: "openRealtime", summary: "Opens a WebSocket for records",
            description: """
                RFC 6455, version 13. Each text message is one report or one feedback as JSON; each is answered by a text \
                message with its receipt, or with a problem document. Parameters hold for all messages of the connection.
                """,
            parameters: [APIParameter.receipts, APIParameter.sentAtQuery, APIParameter.sentAt],
            answers: [APIAnswer(101, "The WebSocket is open")],
            problems: [
                .upgradeRequired, .badUpgrade, .badSentAt, .badReceipts, .badIdempotencyKey, .unsupportedType,
                .unsupportedEncoding,
            ]),
    ]

    private static func upload(
        _ route: DeviceRoute, _ id: String, _ summary: String, schema: String, example: JSONValue, csv: String
    ) -> DeviceOperation {
        DeviceOperation(
            route: route, method: "POST", id: id, summary: summary, description: receipts,
            parameters: [
                APIParameter.receipts, APIParameter.sentAtQuery, APIParameter.sentAt, APIParameter.idempotencyKey,
            ],
            bodies: bodies(of: APISchemas.reference(schema), example: example, csv: csv),
            answers: [
                APIAnswer(
                    200, "The receipt: on disk", schema: APISchemas.reference("Receipt"), example: receipt,
                    headers: APIAnswer.nextUpload)
            ],
            problems: [
                .badSentAt, .badIdempotencyKey, .badReceipts, .noMeasurementConsent, .inflatedTooLarge, .tooManyRows,
                .unsupportedType, .unsupportedEncoding, .brokenCompression, .emptyBody, .nothingReadable, .noCSVHeader,
                .journalFull, .diskFull, .outOfMemory,
            ])
    }

    private static let receipts = """
        One bad record never spoils its upload: `items` of the receipt lists what was not plainly accepted, with code and \
        field. Sent again, the same body or the same `Idempotency-Key` gets the same receipt, word for word; records that were \
        known before are `duplicates`. The body may be compressed: `Content-Encoding: gzip` or `deflate`.
        """

    private static func bodies(of record: JSONValue, example: JSONValue, csv: String) -> [APIBody] {
        [
            APIBody(
                "application/json", ["oneOf": [record, ["type": "array", "items": record, "minItems": 1]]],
                examples: ["one": example, "several": [example]]),
            APIBody(
                "application/x-ndjson",
                [
                    "type": "string", "format": "records",
                    "description": "one record a line, each as in application/json",
                ],
                examples: ["lines": .string(example.text + "\n" + example.text + "\n")]),
            APIBody(
                "text/csv",
                [
                    "type": "string", "format": "records-csv",
                    "description": "RFC 4180; the first line names the columns, which are the members of a record",
                ],
                examples: ["rows": .string(csv)]),
        ]
    }

    private static let receipt: JSONValue = [
        "batch_id": "6f1d0c2e58a78b3c9d4e2a1b0c9d8e7f", "accepted": 1, "duplicates": 0, "rejected": 1,
        "items": [
            [
                "index": 1, "id": nil, "status": "rejected", "code": "out_of_range", "field": "rsrp_dbm",
                "detail": "-300 is not within -156…-31 dBm",
            ]
        ],
    ]
}
