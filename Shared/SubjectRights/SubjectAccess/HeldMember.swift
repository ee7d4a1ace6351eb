public import Models

/// A member of the lines of a kind, as its JSON Schema describes it.
public struct HeldMember: Codable, Sendable, Equatable {
    /// Types of JSON.
    public enum JSONType: String, Codable, Sendable {
        case string, integer, number, boolean, object, array
    }

    public var name: String
    public var type: JSONType
    /// One sentence, with the unit.
    public var about: String

    public init(_ name: String, _ type: JSONType, _ about: String) {
        self.name = name
        self.type = type
        self.about = about
    }

    /// A field of a record, as it is written by its name.
    public init(_ field: Field, name: String? = nil) {
        let name = name ?? field.name
        let unit = field.unit.isEmpty ? "" : ", \(field.unit)"
        switch field.representation {
        case .identifier: self.init(name, .string, "UUID")
        case .text: self.init(name, .string, "as it was sent")
        case .choice(let choices): self.init(name, .string, "one of: \(choices.names.joined(separator: " "))")
        case .flag: self.init(name, .boolean, "yes or no")
        case .number(let scale): self.init(name, scale == 1 ? .integer : .number, "number\(unit)")
        case .digits: self.init(name, .integer, "whole number\(unit)")
        case .instant: self.init(name, .integer, "Unix milliseconds")
        }
    }
}
