internal import ServiceKit

/// Parameter objects of the document.
enum APIParameter {
    static func query(_ name: String, _ description: String, _ schema: JSONValue, example: JSONValue) -> JSONValue {
        [
            "name": .string(name), "in": "query", "description": .string(description), "schema": schema,
            "example": example,
        ]
    }

    static func header(_ name: String, _ description: String, _ schema: JSONValue) -> JSONValue {
        ["name": .string(name), "in": "header", "description": .string(description), "schema": schema]
    }

    /// The phone's clock, in header or query.
    static let sentAt = time("X-Nkul-Sent-At", "header")
    static let sentAtQuery = time("sent_at_ms", "query")

    private static func time(_ name: String, _ place: String) -> JSONValue {
        [
            "name": .string(name), "in": .string(place),
            "description": """
            the phone's clock when it sends, Unix milliseconds; `captured_at` is corrected by its difference to the \
            server's clock
            """,
            "schema": ["type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991],
        ]
    }

    static let idempotencyKey = header(
        "Idempotency-Key", "the same key gets the same receipt, for 16 uploads and 8 days",
        ["type": "string", "maxLength": 255])

    static let uploadKey: JSONValue = [
        "name": "key", "in": "query", "required": true,
        "description": "the upload key; missing or unknown: 401", "schema": ["type": "string"],
    ]

    static let subprotocols = header(
        "Sec-WebSocket-Protocol",
        "from browsers, which can set no other header here: `nkul.v1, nkul.token.` and the token", ["type": "string"])

    static let passkey = header(
        "Nkul-Passkey",
        """
        from devices whose person has turned a passkey on: `client-data=:…:, authenticator-data=:…:, signature=:…:`, byte \
        sequences in base64 (RFC 9651), of a use by the open challenge
        """, ["type": "string"])

    static let receipts = query(
        "receipts", "`all`: the receipt lists every record, not only those that were not plainly accepted",
        ["const": "all"], example: "all")

    static let ifNoneMatch = header("If-None-Match", "entity tags of what is held already", ["type": "string"])
}
