internal import Models
internal import ServiceKit

/// The JSON schema of a record that phones send, made from the fields of its kind.
///
/// Units, ranges and names stand there alone; what a field means beyond them is told by ``FieldText``.
struct RecordSchema {
    let kind: RecordKind

    init(_ kind: RecordKind) { self.kind = kind }

    /// The schema object.
    var object: JSONValue {
        var properties: [String: JSONValue] = [:]
        for field in kind.fields {
            properties[field.name] = property(field)
            if case .instant = field.representation { properties[field.name + "_ms"] = milliseconds }
        }
        for field in kind.spellings { properties[field.name] = spelling(field) }
        var object: [String: JSONValue] = [
            "type": "object", "properties": .object(properties), "description": .string(description),
            "allOf": .array(alternatives.map { names in ["anyOf": .array(names.map { ["required": [.string($0)]] })] }),
        ]
        let required = kind.required.filter { names(of: $0).count == 1 }.flatMap(names)
        if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
        return .object(object)
    }

    /// Of each of these lists one is needed.
    private var alternatives: [[String]] {
        [["id", "seq"], ["captured_at", "captured_at_ms"]] + kind.required.map(names).filter { $0.count > 1 }
    }

    /// The names under which a column can be written.
    private func names(of column: UInt8) -> [String] {
        [kind.field(column)].compactMap { $0?.name } + kind.spellings.filter { $0.column == column }.map(\.name)
    }

    private var description: String {
        "What is not known is left out or null, never a placeholder. Unknown members are ignored. A value that cannot be is "
            + "left out of the record and named in the receipt. The same names are the columns of CSV."
    }

    private var milliseconds: JSONValue {
        [
            "type": ["integer", "null"], "minimum": 0, "maximum": 253_402_300_799_999,
            "description": "the same in Unix milliseconds; stands above the text",
        ]
    }

    /// Another name of a column, with the choices that can be written under it.
    private func spelling(_ field: Field) -> JSONValue {
        guard case .choice(let choices) = field.representation else { return property(field) }
        let codes = choices.names.indices.filter { !choices.names[$0].isEmpty },
            own = kind.field(field.column)?.name ?? ""
        let names = codes.map { choices.names[$0] }
        let range = "\(codes.first ?? 0) to \(codes.last ?? 0)"
        return [
            "enum": .array(names.map { .string($0) } + [.null]),
            "description": .string("instead of a \(own): \(names.joined(separator: " ")) are \(range)"),
        ]
    }

    private func property(_ field: Field) -> JSONValue {
        var object = type(of: field)
        let text = FieldText(kind: kind).text(of: field)
        if !text.isEmpty { object["description"] = .string(text) }
        if !field.unit.isEmpty { object["x-unit"] = .string(field.unit) }
        return .object(object)
    }

    private func type(of field: Field) -> [String: JSONValue] {
        switch field.representation {
        case .identifier: ["type": ["string", "null"], "format": "uuid"]
        case .number: number(field)
        case .digits:
            [
                "type": ["integer", "string", "null"], "minimum": bound(field.range.lowerBound, field),
                "maximum": bound(field.range.upperBound, field), "pattern": Self.numberInQuotes,
            ]
        case .choice(let choices): choice(choices)
        case .flag: ["enum": [true, false, 1, 0, "true", "false", nil]]
        case .instant: ["type": ["string", "null"], "format": "date-time"]
        case .text(let limit): ["type": ["string", "null"], "x-max-characters": .integer(Int64(limit))]
        }
    }

    /// Numbers may stand in quotes.
    private static let numberInQuotes: JSONValue = #"^[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t]*$"#

    private func number(_ field: Field) -> [String: JSONValue] {
        [
            "type": [.string(field.isWhole ? "integer" : "number"), "string", "null"],
            "minimum": bound(field.range.lowerBound, field), "maximum": bound(field.range.upperBound, field),
            "pattern": Self.numberInQuotes,
        ]
    }

    /// The names, then what else is understood.
    private func choice(_ choices: Choices) -> [String: JSONValue] {
        let plain = Set(choices.names.map { $0.uppercased() })
        let others =
            choices.aliases.keys.filter { !plain.contains($0) }.sorted().map { JSONValue.string($0) }
            + choices.numbers.keys.sorted().map { .integer($0) }
        let names: JSONValue = ["enum": .array(choices.names.map { .string($0) } + [.null])]
        guard !others.isEmpty, case .object(let object) = names else { return names.object ?? [:] }
        return ["anyOf": [.object(object), ["enum": .array(others), "description": "understood too"]]]
    }

    /// A stored value in its natural unit.
    private func bound(_ value: Int64, _ field: Field) -> JSONValue {
        field.scale == 1 ? .integer(value) : .number(Double(value) / Double(field.scale))
    }
}
