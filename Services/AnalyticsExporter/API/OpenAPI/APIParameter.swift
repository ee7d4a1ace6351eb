internal import ServiceKit

/// A parameter of a call, as its document describes it.
struct APIParameter: Sendable {
    enum Place: String { case path, query, header }

    let name: String
    let place: Place
    let description: String
    let schema: JSONValue

    init(_ name: String, _ description: String, _ schema: JSONValue, in place: Place = .query) {
        self.name = name
        self.place = place
        self.description = description
        self.schema = schema
    }

    /// Whether it may be given several times.
    var isList: Bool { schema["type"] == "array" }

    /// The parameter object of the document.
    var object: JSONValue {
        var object: [String: JSONValue] = [
            "name": .string(name), "in": .string(place.rawValue), "description": .string(description), "schema": schema,
        ]
        if place == .path { object["required"] = true }
        return .object(object)
    }

    /// A whole number of a range.
    static func integer(_ name: String, _ description: String, in range: ClosedRange<Int>) -> APIParameter {
        APIParameter(
            name, description,
            [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ])
    }

    /// A number; nil: of any size.
    static func number(_ name: String, _ description: String, in range: ClosedRange<Double>?) -> APIParameter {
        var schema: [String: JSONValue] = ["type": "number"]
        if let range { (schema["minimum"], schema["maximum"]) = (.number(range.lowerBound), .number(range.upperBound)) }
        return APIParameter(name, description, .object(schema))
    }

    /// One of some words.
    static func choice(_ name: String, _ description: String, of words: [String]) -> APIParameter {
        APIParameter(name, description, ["enum": .array(words.map { .string($0) })])
    }

    /// Some of some words, commas between them.
    static func choices(_ name: String, _ description: String, of words: [String]) -> APIParameter {
        let word = "(\(words.joined(separator: "|")))"
        return APIParameter(
            name, description + ": \(words.joined(separator: ", ")); several with commas",
            ["type": "string", "pattern": .string("^\(word)(,\(word)){0,9}$")])
    }

    static func plmn(_ name: String = "plmn") -> APIParameter {
        APIParameter(
            name, "a network: MCC and MNC, five or six digits, or unknown",
            ["type": "string", "pattern": "^([0-9]{5,6}|unknown)$"])
    }

    /// Several networks, each with the name of the parameter before it.
    static func plmns(_ name: String = "plmn", count: ClosedRange<Int>) -> APIParameter {
        APIParameter(
            name, "networks: MCC and MNC, five or six digits, or unknown; given once for each",
            [
                "type": "array", "minItems": .integer(Int64(count.lowerBound)),
                "maxItems": .integer(Int64(count.upperBound)), "uniqueItems": true, "items": plmn().schema,
            ])
    }

    static func time(_ name: String, _ description: String) -> APIParameter {
        APIParameter(
            name, description + ": RFC 3339, or Unix milliseconds",
            [
                "oneOf": [
                    ["type": "string", "format": "date-time"],
                    ["type": "integer", "minimum": 0, "maximum": 32_503_680_000_000],
                ]
            ])
    }

    static func text(_ name: String, _ description: String, pattern: String) -> APIParameter {
        APIParameter(name, description, ["type": "string", "pattern": .string(pattern)])
    }

    /// The names in the braces of a path: plain texts, or numbers of sites, sensors and doors.
    static func names(in path: String, numbered: Bool) -> [APIParameter] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            APIParameter(
                String(part.dropFirst().dropLast()), "names one",
                numbered ? APISchemas.siteNumber : ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"], in: .path)
        }
    }

    static let ifNoneMatch = APIParameter(
        "If-None-Match", "entity tags of what is held already", ["type": "string"], in: .header)
}
