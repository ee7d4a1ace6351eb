public import Models

/// A kind of data that a service holds about subscribers, explained to them.
public struct HeldKind: Codable, Sendable, Equatable {
    /// What its lines have as `kind`.
    public var kind: String
    public var what: BilingualText
    public var why: BilingualText
    public var kept: BilingualText
    public var members: [HeldMember]

    /// - Parameter kept: for how long.
    public init(
        _ kind: String, what: BilingualText, why: BilingualText, kept: BilingualText, members: [HeldMember]
    ) {
        self.kind = kind
        self.what = what
        self.why = why
        self.kept = kept
        self.members = members
    }

    /// The line that describes the kind's lines, without line feed: `{"kind":"schema","of":…,"schema":{JSON Schema}}`.
    public func schemaLine(of service: String) throws -> [UInt8] {
        try SortedJSON.bytes(of: SchemaLine(kind: "schema", service: service, of: kind, schema: schema(of: service)))
    }

    private func schema(of service: String) -> Schema {
        var properties = Dictionary(
            uniqueKeysWithValues: members.map { member in
                (member.name, Property(type: member.type.rawValue, description: member.about, const: nil))
            })
        properties["kind"] = Property(type: nil, description: nil, const: kind)
        properties["service"] = Property(type: nil, description: nil, const: service)
        return Schema(
            dialect: "https://json-schema.org/draft/2020-12/schema", title: what.en, type: "object",
            properties: properties, required: ["kind", "service"])
    }

    private struct SchemaLine: Encodable {
        let kind: String
        let service: String
        let of: String
        let schema: Schema
    }

    private struct Schema: Encodable {
        let dialect: String
        let title: String
        let type: String
        let properties: [String: Property]
        let required: [String]

        enum CodingKeys: String, CodingKey {
            case dialect = "$schema"
            case title, type, properties, required
        }
    }

    private struct Property: Encodable {
        let type: String?
        let description: String?
        let const: String?
    }
}

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

/// A sentence for subscribers, in the two official languages of Cameroon.
public struct BilingualText: Codable, Sendable, Equatable {
    public var en: String
    public var fr: String

    public init(en: String, fr: String) {
        self.en = en
        self.fr = fr
    }
}
