internal import Crypto
internal import HTTPTypes
internal import Models
internal import ServiceKit

/// The OpenAPI 3.1 document of the operators' API, made once of its ``ExporterRoute``s: a call that is not in it cannot be made.
struct ExporterDocument: Sendable {
    let value: JSONValue
    /// As it is served.
    let bytes: [UInt8]
    /// Its entity tag, with quotes.
    let tag: String

    init(_ routes: [ExporterRoute]) {
        value = Self.value(routes)
        bytes = Array(value.text.utf8)
        tag = "\"\(Hexadecimal.text(Array(SHA256.hash(data: bytes).prefix(8))))\""
    }

    private static func value(_ routes: [ExporterRoute]) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for route in routes { paths[route.path, default: [:]][route.method.rawValue.lowercased()] = route.object }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Nkul API of operators and regulators", "version": .string(Version.text),
                "description": .string(introduction), "license": ["name": "see the file LICENSE of the source"],
            ],
            "servers": [["url": "/"]],
            "tags": .array(
                ExporterRoute.Tag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.meaning)] }),
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(APISchemas.all),
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer", "description": "the token of a contact"],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": "nkul_session",
                        "description":
                            "set by `POST /v1/session`; what changes anything then needs the header `Origin`",
                    ],
                ],
            ],
        ]
    }

    private static let introduction = """
        What operators and regulators are told, and what they do. A contact sees what belongs to the tenant; what belongs to others \
        is not there (404). Every answer of 400 and above is a problem document (RFC 9457) with a stable `code`, and with `field` \
        where one parameter or member is at fault. A parameter without a value is refused.
        """
}

extension ExporterRoute {
    /// The operation object of the document.
    var object: JSONValue {
        var object: [String: JSONValue] = [
            "operationId": .string(id), "summary": .string(summary), "tags": [.string(tag.rawValue)],
            "responses": .object(responses), "security": isOfContacts ? [["bearer": []], ["session": []]] : [],
        ]
        if !description.isEmpty { object["description"] = .string(description) }
        let all = APIParameter.names(in: path, numbered: isNumbered) + parameters
        if !all.isEmpty { object["parameters"] = .array(all.map(\.object)) }
        if let body { object["requestBody"] = body.object }
        return .object(object)
    }

    private var isOfContacts: Bool { if case .contacts = access { true } else { false } }

    private var responses: [String: JSONValue] {
        var responses = Dictionary(uniqueKeysWithValues: answers.map { (String($0.status), $0.object) })
        for (status, meaning) in usualProblems.merging(problems, uniquingKeysWith: { $1 }) {
            let problem = Self.problem(status, meaning)
            guard var answer = responses[String(status)]?.object else {
                responses[String(status)] = problem
                continue
            }
            // The call has words of its own beside those of all.
            var content = answer["content"]?.object ?? [:]
            content.merge(problem["content"]?.object ?? [:]) { $1 }
            answer["content"] = .object(content)
            responses[String(status)] = .object(answer)
        }
        return responses
    }

    /// What may become of any call of its kind.
    private var usualProblems: [Int: String] {
        var usual = [
            400: "`unknown_parameter`, `invalid_parameter`: `field` names it",
            429: "`too_many_failed_logins`: several tokens were wrong", 503: "`busy`, `stopping`, `journal_full`",
        ]
        if isOfContacts { usual[401] = "`unauthorized`: neither token nor session" }
        if path.contains("{") { usual[404] = "`not_found`: there is none, or it is somebody else's" }
        if method != .get, isOfContacts {
            usual[403] = "`role`: a viewer may only look; `wrong_origin`: sent by the page of another site"
        }
        if body != nil { usual[413] = "`too_large`" }
        return usual
    }

    private static func problem(_ status: Int, _ meaning: String) -> JSONValue {
        var object: [String: JSONValue] = [
            "description": .string(meaning),
            "content": [
                ProblemDocument.mediaType: [
                    "schema": [
                        "allOf": [
                            APISchemas.reference("Problem"),
                            ["properties": ["status": ["const": .integer(Int64(status))]]],
                        ]
                    ]
                ]
            ],
        ]
        if status == 401 {
            object["headers"] = ["WWW-Authenticate": ["required": true, "schema": ["const": "Bearer"]]]
        } else if [429, 503].contains(status) {
            object["headers"] = [
                "Retry-After": [
                    "required": true, "description": "seconds after which to try again",
                    "schema": ["type": "integer", "minimum": 1],
                ]
            ]
        }
        return .object(object)
    }
}
