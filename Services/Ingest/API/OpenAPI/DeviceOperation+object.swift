internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

extension DeviceOperation {
    /// The operation object of the document.
    var object: JSONValue {
        var object: [String: JSONValue] = [
            "operationId": .string(id), "summary": .string(summary), "tags": [.string(route.tag)],
            "responses": .object(responses), "security": security,
        ]
        if !description.isEmpty { object["description"] = .string(description) }
        let parameters = route.pathParameters + parameters + (isSigned ? Self.signatureParameters : [])
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if !bodies.isEmpty {
            let content = Dictionary(uniqueKeysWithValues: bodies.map { ($0.type, $0.object) })
            object["requestBody"] = ["required": true, "content": .object(content)]
        }
        return .object(object)
    }

    private var security: JSONValue {
        guard route.isOfDevice else { return [] }
        if route == .geosubmit { return [["uploadKey": []]] }
        return isSigned ? [["bearer": []], ["bearer": [], "signature": []]] : [["bearer": []]]
    }

    private var responses: [String: JSONValue] {
        var responses = Dictionary(uniqueKeysWithValues: answers.map { (String($0.status), $0.object) })
        for (status, codes) in Dictionary(grouping: allProblems, by: \.status) {
            responses[String(status)] = Self.refusal(status, codes)
        }
        return responses
    }

    /// The response object of all problems of one status.
    private static func refusal(_ status: Int, _ codes: [ProblemCode]) -> JSONValue {
        var object: [String: JSONValue] = [
            "description": .string(codes.map { "`\($0.rawValue)`: \($0.title)" }.joined(separator: "\n\n")),
            "content": [
                ProblemDocument.mediaType: [
                    "schema": [
                        "allOf": [
                            ["$ref": "#/components/schemas/Problem"],
                            [
                                "properties": [
                                    "status": ["const": .integer(Int64(status))],
                                    "code": ["enum": .array(codes.map { .string($0.rawValue) })],
                                ]
                            ],
                        ]
                    ],
                    "example": codes[0].example,
                ]
            ],
        ]
        if let headers = headers[status] { object["headers"] = headers }
        return .object(object)
    }

    /// Fields that come with every problem of a status.
    private static let headers: [Int: JSONValue] = [
        401: ["WWW-Authenticate": ["required": true, "schema": ["const": "Bearer"]]],
        429: retryAfter, 503: retryAfter,
    ]

    private static let retryAfter: JSONValue = .object(
        APIAnswer.nextUpload.merging([
            "Retry-After": [
                "required": true, "description": "seconds after which to try again",
                "schema": ["type": "integer", "minimum": 1],
            ]
        ]) { $1 })

    private static let signatureParameters: [JSONValue] = [
        APIParameter.header(
            "Signature-Input", "what the signature covers, and when it was made; from devices with a key",
            ["type": "string"]),
        APIParameter.header("Content-Digest", "hash of the body that the signature covers", ["type": "string"]),
    ]
}

extension ProblemCode {
    /// The document of a problem without detail.
    fileprivate var example: JSONValue {
        [
            "type": .string("urn:nkul:problem:\(rawValue)"), "title": .string(title), "status": .integer(Int64(status)),
            "code": .string(rawValue),
        ]
    }
}

extension DeviceRoute {
    fileprivate var tag: String {
        switch self {
        case .records, .realtime, .geosubmit, .download, .upload, .echo: "records"
        case .enrol, .consent, .uploadKey: "device"
        case .push: "subscriber"
        case .passkey: "privacy"
        case .promptPolicy, .samplingPolicy, .payout, .rewards, .impact, .progress, .nickname, .standings: "subscriber"
        case .data, .dataRequest, .erasures, .erasure: "privacy"
        case .callback: "providers"
        case .policy, .operators, .openAPI, .keys, .unknown: "documents"
        }
    }

    /// The variable parts of the path.
    fileprivate var pathParameters: [JSONValue] {
        if self == .callback {
            return [
                Self.pathParameter("provider", "its name in the dispatcher's settings", pattern: "^[a-z0-9]{1,32}$"),
                Self.pathParameter("secret", "what the provider was given", pattern: "^[0-9a-f]{32}$"),
            ]
        }
        guard self != .records, rawValue.hasSuffix("/{request_id}") else { return [] }
        return [
            Self.pathParameter(
                "request_id", "what the request was answered with", pattern: "^[A-Za-z0-9-]{1,64}$")
        ]
    }

    private static func pathParameter(_ name: String, _ description: String, pattern: String) -> JSONValue {
        [
            "name": .string(name), "in": "path", "required": true, "description": .string(description),
            "schema": ["type": "string", "pattern": .string(pattern)],
        ]
    }
}
