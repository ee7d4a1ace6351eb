internal import ServiceKit

extension APISchemas {
    static let erasureWish: JSONValue = object(["scope": ["oneOf": [everything, part]]])

    private static let everything: JSONValue = [
        "type": "object", "properties": ["all": ["const": true]], "required": ["all"], "not": ["anyOf": anyPart],
    ]

    /// A time, an area, or both.
    private static let part: JSONValue = [
        "type": "object",
        "properties": ["all": ["const": false], "from": time, "to": time, "polygon": polygon], "anyOf": anyPart,
    ]

    private static let anyPart: JSONValue = [
        ["required": ["from"]], ["required": ["to"]], ["required": ["polygon"]],
    ]

    private static let polygon: JSONValue = [
        "type": "array", "minItems": 3, "maxItems": .integer(Int64(ErasureWish.mostCorners)),
        "items": [
            "type": "array", "minItems": 2, "maxItems": 2, "description": "longitude and latitude, degrees",
            "prefixItems": [
                ["type": "number", "minimum": -180, "maximum": 180], ["type": "number", "minimum": -85, "maximum": 85],
            ],
        ],
    ]

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

    static let dataRequest: JSONValue = object([
        "request_id": ["type": "string", "format": "uuid"], "type": ["const": "access"],
        "state": ["enum": ["pending", "in_progress"]], "requested_at": time, "requested_at_ms": milliseconds,
        "expected_completion_time": time, "expected_completion_time_ms": milliseconds, "expires_at": time,
        "expires_at_ms": milliseconds,
        "missing": ["type": "array", "items": text, "description": "services that are still to give what they hold"],
    ])

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
                "key_id": hexadecimal(8), "service": text,
                "use": ["enum": ["erasure_receipts", "audit_heads", "exports"]],
                "algorithm": ["const": "Ed25519"], "public_key": hexadecimal(32), "since_ms": milliseconds,
            ]),
        ]
    ])

    static let passkey: JSONValue = object(
        [
            "origin": ["type": ["string", "null"], "description": "where passkeys are for; null: they are off here"],
            "rp_id": ["type": ["string", "null"]], "is_on": ["type": "boolean"], "made_at": time,
            "made_at_ms": milliseconds,
        ], optional: ["made_at", "made_at_ms"])

    static let passkeyChallenge: JSONValue = object([
        "challenge": ["type": "string", "description": "32 bytes, base64url"], "rp_id": text,
        "expires_in_ms": milliseconds,
    ])

    static let passkeyMade: JSONValue = object([
        "client_data": ["type": "string", "description": "`clientDataJSON`, base64url"],
        "authenticator_data": ["type": "string", "description": "`getAuthenticatorData()`, base64url"],
        "public_key": [
            "type": "string", "description": "`getPublicKey()`, base64url: P-256, or RSA with 2048 to 4096 bits",
        ],
        "algorithm": ["enum": [-7, -257]],
    ])

    private static func hexadecimal(_ bytes: Int) -> JSONValue {
        ["type": "string", "pattern": .string("^[0-9a-f]{\(2 * bytes)}$")]
    }
}
