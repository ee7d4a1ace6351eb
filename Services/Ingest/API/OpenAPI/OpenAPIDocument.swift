internal import Crypto
internal import Models
internal import ServiceKit

/// The OpenAPI 3.1 document of the device API, made once from ``DeviceOperation``, the kinds of records and the codes of
/// problems: what is not true of them cannot stand in it.
struct OpenAPIDocument: Sendable {
    let value: JSONValue
    /// The document as it is served.
    let bytes: [UInt8]
    /// Its entity tag, with quotes.
    let tag: String

    /// - Parameter operators: whose numbers rewards may be paid to.
    init(_ programmes: Programmes, _ operators: OperatorTable) {
        value = Self.value(programmes, operators)
        bytes = Array(value.text.utf8)
        tag = "\"" + SHA256.hash(data: bytes).prefix(8).map { Self.hex($0) }.joined() + "\""
    }

    private static func value(_ programmes: Programmes, _ operators: OperatorTable) -> JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Nkul device API", "version": .string(Version.text), "description": .string(introduction),
                "license": ["name": "see the file LICENSE of the source"],
            ],
            "servers": [["url": "/"]],
            "tags": .array(tags.map { ["name": .string($0), "description": .string($1)] }),
            "paths": .object(paths(programmes)),
            "components": [
                "schemas": .object(APISchemas.all(programmes, operators)),
                "securitySchemes": ["bearer": bearer, "signature": signature, "uploadKey": uploadKey],
            ],
        ]
    }

    private static let introduction = """
        What phones send to Nkul and what they are told. Every answer of 400 and above is a problem document (RFC 9457) with \
        a stable `code`; each call lists its codes. 2xx means: on disk. 429 and 503 carry `Retry-After`; what was refused by \
        them is sent again unchanged, and counts once however often it is sent. GET has HEAD.
        """

    private static let tags = [
        ("records", "what phones measured and subscribers felt"),
        ("device", "the phone and what its subscriber allows"),
        ("subscriber", "what subscribers get and are told"), ("privacy", "what is held, and its end"),
        ("providers", "what providers of rewards call"),
        ("documents", "this document and public keys"),
    ]

    private static let bearer: JSONValue = [
        "type": "http", "scheme": "bearer", "description": "the token that the enrolment told once",
    ]

    private static let uploadKey: JSONValue = [
        "type": "apiKey", "in": "query", "name": "key",
        "description": "a key that may send and reads nothing, of apps that put it into the URL; no log has it",
    ]

    private static let signature: JSONValue = [
        "type": "apiKey", "in": "header", "name": "Signature",
        "description": """
        Of devices that enrolled with a `device_key`: HTTP message signature (RFC 9421) by ECDSA P-256 with SHA-256 over \
        `@method`, `@path`, `@query` if there is one and `content-digest` (RFC 9530) if there is a body, with `created` \
        at most 300 s from the server's clock.
        """,
    ]

    private static func paths(_ programmes: Programmes) -> [String: JSONValue] {
        var paths: [String: [String: JSONValue]] = [:]
        for operation in DeviceOperation.all(programmes) {
            paths[operation.path, default: [:]][operation.method.lowercased()] = operation.object
        }
        return paths.mapValues { .object($0) }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
