internal import ServiceKit

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
