/// JSON as documents of rules have it. Numbers are doubles: those of rules are small.
package enum RuleValue: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([RuleValue])
    case object([String: RuleValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([RuleValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: RuleValue].self))
        }
    }

    /// As a message shows it, short.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): Self.text(value)
        case .string(let value): "\"\(value.prefix(64))\""
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// A number without a fraction that says nothing.
    package static func text(_ number: Double) -> String {
        number.magnitude < 1e15 && number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }
}
