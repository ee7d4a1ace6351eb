internal import Foundation

/// What the bodies of enrolment and consent have in common: how they are read, and what is wrong with them.
enum DeviceBody {
    /// - Throws: ``Problem`` 422 naming the field at fault.
    static func decode<Body: Decodable>(_ type: Body.Type, from bytes: [UInt8]) throws(Problem) -> Body {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw problem(error)
        } catch {
            throw Problem(422, "malformed", "The body is not JSON")
        }
    }

    /// Texts have 1 to 128 bytes.
    static func check(_ texts: [(field: String, text: String?)]) throws(Problem) {
        for (field, text) in texts where text.map({ $0.isEmpty || $0.utf8.count > 128 }) ?? false {
            throw Problem(422, "out_of_range", "\(field) has 1 to 128 bytes", field: field)
        }
    }

    static func checkGuardian(ageBand: String?, guardian: Bool?) throws(Problem) {
        guard ageBand == "under_16", guardian != true else { return }
        throw .guardianRequired
    }

    private static func problem(_ error: DecodingError) -> Problem {
        func name(_ path: [any CodingKey]) -> String? {
            path.isEmpty ? nil : path.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, _):
            return Problem(422, "missing_field", "\(key.stringValue) is required", field: key.stringValue)
        case .valueNotFound(_, let context):
            return Problem(
                422, "missing_field", "\(name(context.codingPath) ?? "a field") is required",
                field: name(context.codingPath))
        case .typeMismatch(_, let context) where context.codingPath.isEmpty:
            return Problem(422, "not_an_object", "The body is not a JSON object")
        case .typeMismatch(_, let context):
            return Problem(
                422, "wrong_type", "\(name(context.codingPath) ?? "a field") is of another type",
                field: name(context.codingPath))
        default: return Problem(422, "malformed", "The body is not JSON")
        }
    }
}
