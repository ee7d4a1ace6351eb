internal import ServiceKit

extension APISchemas {
    static let erasureWish: JSONValue = object([
        "scope": [
            "oneOf": [
                object(["all": ["const": true]]), part(["from", "to"]), part(["polygon"]),
            ]
        ]
    ])

    /// A part: at least what is named, and possibly the others.
    private static func part(_ required: [String]) -> JSONValue {
        [
            "type": "object",
            "properties": [
                "from": time, "to": time,
                "polygon": [
                    "type": "array", "minItems": 3, "maxItems": .integer(Int64(ErasureWish.mostCorners)),
                    "items": [
                        "type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "number"],
                        "description": "longitude -180 to 180, latitude -85 to 85, degrees",
                    ],
                ],
            ],
            "required": .array(required.map { .string($0) }),
        ]
    }

    static let erasure: JSONValue = object(
        [
            "request_id": ["type": "string", "format": "uuid"], "type": ["const": "erasure"],
            "state": ["enum": ["pending", "in_progress", "completed"]], "requested_at": time,
            "requested_at_ms": milliseconds, "expected_completion_time": time,
            "expected_completion_time_ms": milliseconds, "completed_at": time, "completed_at_ms": milliseconds,
            "receipts": [
                "type": "array", "maxItems": 6, "items": reference("ErasureReceipt"),
                "description": "of the services that have nothing left",
            ],
        ], optional: ["completed_at", "completed_at_ms"])

    static let erasureReceipt: JSONValue = object([
        "request": text, "subject": hexadecimal(32), "service": text,
        "barriers": [
            "type": "array",
            "items": object(["lane": text, "generation": count, "block": count]),
            "description": "the ends of the signer's own lanes",
        ],
        "removed": ["type": "integer", "minimum": 0, "description": "rows and records"],
        "signed_at_ms": milliseconds, "key_id": hexadecimal(8),
        "signature": [
            "type": "string", "pattern": "^[0-9a-f]{128}$",
            "description": "Ed25519; `docs/erasure.md` says over what",
        ],
    ])

    static let verificationKeys: JSONValue = object([
        "keys": [
            "type": "array",
            "items": object([
                "key_id": hexadecimal(8), "service": text, "use": ["enum": ["erasure_receipts", "audit_heads"]],
                "algorithm": ["const": "Ed25519"], "public_key": hexadecimal(32), "since_ms": milliseconds,
            ]),
        ]
    ])

    private static func hexadecimal(_ bytes: Int) -> JSONValue {
        ["type": "string", "pattern": .string("^[0-9a-f]{\(2 * bytes)}$")]
    }
}
