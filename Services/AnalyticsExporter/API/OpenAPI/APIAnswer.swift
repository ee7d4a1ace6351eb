internal import ServiceKit

/// An answer of a call that is no problem, as its document describes it.
struct APIAnswer: Sendable {
    let status: Int
    let description: String
    /// Media type of the body.
    let type: String
    /// Nil if the answer has no body.
    let schema: JSONValue?
    /// Fields of its head, with what they say.
    let headers: [String: String]

    init(
        _ status: Int, _ description: String, _ schema: JSONValue? = nil, type: String = "application/json",
        headers: [String: String] = [:]
    ) {
        self.status = status
        self.description = description
        self.schema = schema
        self.type = type
        self.headers = headers
    }

    /// The response object of the document.
    var object: JSONValue {
        var object: [String: JSONValue] = ["description": .string(description)]
        if let schema { object["content"] = .object([type: ["schema": schema]]) }
        if !headers.isEmpty {
            object["headers"] = .object(
                headers.mapValues { ["description": .string($0), "schema": ["type": "string"]] })
        }
        return .object(object)
    }

    /// Answered to who has it already.
    static let unchanged = APIAnswer(304, "It is what was named", headers: ["ETag": "as before"])
}

/// The body of a call, as its document describes it.
struct APIBody: Sendable {
    let schema: JSONValue
    let type: String
    let isRequired: Bool

    init(_ schema: JSONValue, type: String = "application/json", isRequired: Bool = true) {
        self.schema = schema
        self.type = type
        self.isRequired = isRequired
    }

    /// The request body object of the document.
    var object: JSONValue {
        ["required": .bool(isRequired), "content": .object([type: ["schema": schema]])]
    }
}
