internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

extension DeviceOperation {
    /// The WebSocket that brings records, if any may be sent over it.
    static func realtime(_ programmes: Programmes) -> [DeviceOperation] {
        let kinds = programmes.kinds.filter(\.isRealtime).map { "`\($0.kind.name)`" }
        guard let first = kinds.first else { return [] }
        return [
            DeviceOperation(
                route: .realtime, method: "GET", id: "openRealtime", summary: "Opens a WebSocket for records",
                description: """
                    RFC 6455, version 13. Each text message is one record as JSON, whose member `kind` says what it is: \
                    \(kinds.joined(separator: ", ")). Without it, a record that has a member of one kind alone is of that \
                    kind, any other is a \(first). Each is answered by a text message with its receipt, or with a problem \
                    document. Parameters hold for all messages of the connection; a message's own member `sent_at_ms` stands \
                    above that of the opening, as a phone's clock may be set meanwhile.
                    """,
                parameters: [
                    APIParameter.receipts, APIParameter.sentAtQuery, APIParameter.sentAt, APIParameter.subprotocols,
                ],
                answers: [APIAnswer(101, "The WebSocket is open")],
                problems: [
                    .upgradeRequired, .badUpgrade, .originNotAllowed, .badSentAt, .badReceipts, .badIdempotencyKey,
                    .unsupportedType,
                    .unsupportedEncoding,
                ])
        ]
    }

    /// The call that brings records of a kind.
    static func upload(_ kind: ProgrammeKind) -> DeviceOperation {
        DeviceOperation(
            route: .records, recordPath: kind.path, method: "POST", id: kind.description.operation,
            summary: kind.description.summary, description: receipts,
            parameters: [
                APIParameter.receipts, APIParameter.sentAtQuery, APIParameter.sentAt, APIParameter.idempotencyKey,
            ],
            bodies: bodies(
                of: APISchemas.reference(kind.description.schema), example: example(kind), csv: kind.description.csv),
            answers: [
                APIAnswer(
                    200, "The receipt: on disk", schema: APISchemas.reference("Receipt"), example: receipt,
                    headers: APIAnswer.nextUpload)
            ],
            problems: [
                .badSentAt, .badIdempotencyKey, .badReceipts, .noMeasurementConsent, .inflatedTooLarge, .tooManyRows,
                .unsupportedType, .unsupportedEncoding, .brokenCompression, .emptyBody, .nothingReadable, .noCSVHeader,
                .duplicateColumn,
                .journalFull, .diskFull, .outOfMemory,
            ])
    }

    /// Examples are the programme's own text, checked when a test reads the document.
    private static func example(_ kind: ProgrammeKind) -> JSONValue {
        (try? JSONValue(bytes: Array(kind.description.example.utf8))) ?? .null
    }

    private static let receipts = """
        One bad value never spoils its record: it is left out and named in `left_out`. One bad record never spoils its \
        upload: `items` of the receipt lists what was not plainly accepted, with code and field. Sent again, the same body or the same `Idempotency-Key` gets the same receipt, word for word; records that were \
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
                    "description": """
                    RFC 4180; the first line names the columns, which are the members of a record, in any case and with blanks \
                    around them. Separated by commas, semicolons, tabs or bars, in UTF-8 or UTF-16. Columns that are no members \
                    are passed over and named in `unknown_columns`; a column that comes twice is refused
                    """,
                ],
                examples: ["rows": .string(csv)]),
        ]
    }

    private static let receipt: JSONValue = [
        "batch_id": "6f1d0c2e58a78b3c9d4e2a1b0c9d8e7f", "accepted": 2, "duplicates": 0, "conflicts": 0, "rejected": 1,
        "items": [
            [
                "index": 1, "id": "00000000-0007-8000-8000-000000000002", "status": "accepted",
                "left_out": [
                    ["field": "rsrp_dbm", "code": "out_of_range", "detail": "-300 is not within -156…-31 dBm"]
                ],
            ],
            [
                "index": 2, "id": nil, "status": "rejected", "code": "missing_field", "field": "id",
                "detail": "neither id nor seq is given",
            ],
        ],
    ]
}
