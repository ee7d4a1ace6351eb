internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

extension DeviceOperation {
    /// What apps of others send, and the key that they need for it.
    static let geosubmit: [DeviceOperation] = [
        DeviceOperation(
            route: .geosubmit, method: "POST", id: "sendGeosubmit", summary: "Sends cells as Geosubmit v2 has them",
            description: """
                For apps that speak Mozilla's Geosubmit v2, as NeoStumbler and Tower Collector do. Each cell with `serving` 1 \
                becomes a report; its neighbours are counted and left. Of access points and beacons nothing is read. The same \
                cell sent again counts once. Everything but a body that is no Geosubmit at all is answered `{}`, as \
                these apps send what was refused again for ever.
                """,
            parameters: [APIParameter.uploadKey, APIParameter.receipts],
            bodies: [
                APIBody(
                    "application/json", APISchemas.reference("Geosubmit"), examples: ["one cell": ["items": [item]]])
            ],
            answers: [
                APIAnswer(
                    200, "Taken: on disk; the receipt, if all of it is asked for", schema: ["type": "object"],
                    example: [:], headers: APIAnswer.nextUpload)
            ],
            problems: [
                .badSentAt, .badIdempotencyKey, .badReceipts, .noMeasurementConsent, .inflatedTooLarge, .tooManyRows,
                .unsupportedType, .unsupportedEncoding, .brokenCompression, .emptyBody, .nothingReadable,
                .missingField, .journalFull, .diskFull, .outOfMemory,
            ]),
        DeviceOperation(
            route: .uploadKey, method: "POST", id: "makeUploadKey", summary: "Makes a key with which apps may send",
            description: """
                For apps that keep no token and put a key into the URL. The key sends for this device, under the same consents, and \
                reads nothing. A device has one: the one before is worthless from then on.
                """,
            answers: [
                APIAnswer(
                    201, "The key, told once", schema: APISchemas.reference("UploadKey"),
                    example: [
                        "key": "Zm9yIGV4YW1wbGUgb25seSwgbm90IGEgcmVhbCBrZXk",
                        "path": "/v2/geosubmit?key=Zm9yIGV4YW1wbGUgb25seSwgbm90IGEgcmVhbCBrZXk",
                        "made_at": "2026-11-21T08:30:00.000Z", "made_at_ms": 1_795_249_800_000,
                    ])
            ], problems: [.diskFull]),
    ]

    private static let item: JSONValue = [
        "timestamp": 1_795_249_800_000,
        "position": ["latitude": 4.0511, "longitude": 9.7679, "accuracy": 12.5, "speed": 1.4, "source": "gps"],
        "cellTowers": [
            [
                "radioType": "lte", "mobileCountryCode": 624, "mobileNetworkCode": 1, "locationAreaCode": 4102,
                "cellId": 26_246_147, "primaryScramblingCode": 211, "arfcn": 1_300, "signalStrength": -97, "serving": 1,
            ]
        ],
    ]
}

extension DeviceOperation {
    /// Tests of speed for clients of ndt7.
    static let speedTests: [DeviceOperation] = [
        speedTest(
            .download, "testDownload", "Measures a download", "Binary messages of 8 KB to 1 MB come for ten seconds."),
        speedTest(
            .upload, "testUpload", "Measures an upload", "Binary messages of at most 16 MB are counted and thrown away."
        ),
        DeviceOperation(
            route: .echo, method: "GET", id: "echo", summary: "Measures latency",
            description: """
                A WebSocket of the subprotocol `nkul.echo.v1`, without a token. Each message of at most 125 bytes, in one frame, comes \
                back as it was: 50 a second at most, for a minute. Idle it shows latency and jitter, beside a speed test latency \
                under load.
                """,
            parameters: [
                APIParameter.header("Sec-WebSocket-Protocol", "`nkul.echo.v1`", ["type": "string"])
            ],
            answers: [APIAnswer(101, "Messages are sent back")],
            problems: [.notFound, .upgradeRequired, .badUpgrade, .originNotAllowed]),
    ]

    private static func speedTest(_ route: DeviceRoute, _ id: String, _ summary: String, _ what: String)
        -> DeviceOperation
    {
        DeviceOperation(
            route: route, method: "GET", id: id, summary: summary,
            description: """
                ndt7, version 0.11: a WebSocket of the subprotocol `net.measurementlab.ndt.v7`, without a token. \(what) Four times a \
                second the server tells in text how the test stands and what the kernel knows of the connection. A test is ended \
                after 13 seconds, or once it has moved its bytes.
                """,
            parameters: [
                APIParameter.header(
                    "Sec-WebSocket-Protocol", "`net.measurementlab.ndt.v7`", ["type": "string"]),
                APIParameter.query(
                    "bytes", "most bytes that the test is to move; it then ends with a clean close",
                    ["type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991], example: 5_000_000),
            ],
            answers: [APIAnswer(101, "The test runs")],
            problems: [.notFound, .upgradeRequired, .badUpgrade, .originNotAllowed, .outOfRange])
    }
}

extension APISchemas {
    static let uploadKey: JSONValue = object([
        "key": ["type": "string", "description": "43 characters"],
        "path": ["type": "string", "description": "what an app is given behind the address of the service"],
        "made_at": time, "made_at_ms": milliseconds,
    ])

    /// Other members are ignored; what cannot be is counted and left out.
    static let geosubmit: JSONValue = object([
        "items": [
            "type": "array",
            "items": object(
                [
                    "timestamp": ["type": "integer", "description": "when it was measured, Unix milliseconds"],
                    "position": object(
                        [
                            "latitude": ["type": "number"], "longitude": ["type": "number"],
                            "accuracy": ["type": "number", "description": "m"],
                            "speed": ["type": "number", "description": "m/s"],
                            "source": ["type": "string", "description": "`gps`; others say nothing here"],
                        ], optional: ["latitude", "longitude", "accuracy", "speed", "source"]),
                    "cellTowers": ["type": "array", "items": cellTower],
                ], optional: ["position", "cellTowers"]),
        ]
    ])

    private static let cellTower: JSONValue = object(
        [
            "radioType": ["type": "string", "description": "`gsm`, `wcdma`, `lte`, `nr`"],
            "mobileCountryCode": ["type": "integer"], "mobileNetworkCode": ["type": "integer"],
            "locationAreaCode": ["type": "integer"], "cellId": ["type": "integer"],
            "primaryScramblingCode": ["type": "integer", "description": "of `lte` and `nr`: physical cell identity"],
            "arfcn": ["type": "integer"],
            "signalStrength": ["type": "integer", "description": "dBm; RSRP of `lte` and `nr`, else RSSI or RSCP"],
            "serving": ["type": "integer", "description": "1: the phone is registered there; any other is left out"],
        ],
        optional: [
            "radioType", "mobileCountryCode", "mobileNetworkCode", "locationAreaCode", "cellId",
            "primaryScramblingCode", "arfcn", "signalStrength", "serving",
        ])
}
