internal import ServiceKit

/// An answer of a call that is no problem.
struct APIAnswer: Sendable {
    let status: Int
    let description: String
    /// Nil if the answer has no body.
    let schema: JSONValue?
    /// Media type of the body.
    let type: String
    let example: JSONValue?
    /// Header objects by their names.
    let headers: [String: JSONValue]

    init(
        _ status: Int, _ description: String, type: String = "application/json", schema: JSONValue? = nil,
        example: JSONValue? = nil, headers: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.status = status
        self.description = description
        self.schema = schema
        self.example = example
        self.headers = headers
    }

    /// The response object of the document.
    var object: JSONValue {
        var object: [String: JSONValue] = ["description": .string(description)]
        if !headers.isEmpty { object["headers"] = .object(headers) }
        if let schema {
            var media: [String: JSONValue] = ["schema": schema]
            if let example { media["example"] = example }
            object["content"] = .object([type: .object(media)])
        }
        return .object(object)
    }

    /// After how many seconds it is worth asking again.
    static let retryAfter: [String: JSONValue] = [
        "Retry-After": ["required": true, "schema": ["type": "integer", "minimum": 1]]
    ]

    /// When the phone is asked to come again.
    static let nextUpload: [String: JSONValue] = [
        "X-Nkul-Next-Upload": [
            "description": """
            seconds after which to upload what is not urgent, so that phones do not all come at once; urgent records are \
            sent at once
            """,
            "schema": ["type": "integer", "minimum": 1],
        ]
    ]

    /// What a document that can be kept says of that.
    static let tagged: [String: JSONValue] = [
        "ETag": ["description": "to be sent back as `If-None-Match`", "schema": ["type": "string"]],
        "Cache-Control": ["schema": ["type": "string"]],
    ]
}

/// One of the forms in which a call takes its body.
struct APIBody: Sendable {
    let type: String
    let schema: JSONValue
    let examples: [String: JSONValue]

    init(_ type: String, _ schema: JSONValue, examples: [String: JSONValue]) {
        self.type = type
        self.schema = schema
        self.examples = examples
    }

    /// The media type object of the document.
    var object: JSONValue {
        ["schema": schema, "examples": .object(examples.mapValues { ["value": $0] })]
    }
}
