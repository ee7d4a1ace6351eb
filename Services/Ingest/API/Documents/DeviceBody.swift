internal import Foundation
internal import IngestUploads

/// Bodies that are one JSON object: how they are read, and what is wrong with them.
enum DeviceBody {
    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault.
    static func decode<Body: Decodable>(_ type: Body.Type, from bytes: [UInt8]) throws(DeviceAPIError) -> Body {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw problem(error)
        } catch {
            throw DeviceAPIError(.malformed)
        }
    }

    /// Texts have 1 to 128 characters, counted as JSON Schema does: Unicode scalars.
    static func check(_ texts: [(field: String, text: String?)]) throws(DeviceAPIError) {
        for (field, text) in texts where text.map({ $0.isEmpty || $0.unicodeScalars.count > 128 }) ?? false {
            throw DeviceAPIError(.outOfRange, "\(field) has 1 to 128 characters", field: field)
        }
    }

    private static func problem(_ error: DecodingError) -> DeviceAPIError {
        func name(_ path: [any CodingKey]) -> String? {
            path.isEmpty ? nil : path.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, _):
            return DeviceAPIError(.missingField, "\(key.stringValue) is required", field: key.stringValue)
        case .valueNotFound(_, let context):
            return DeviceAPIError(
                .missingField, "\(name(context.codingPath) ?? "a field") is required",
                field: name(context.codingPath))
        case .typeMismatch(_, let context) where context.codingPath.isEmpty:
            return DeviceAPIError(.notAnObject)
        case .typeMismatch(_, let context):
            return DeviceAPIError(
                .wrongType, "\(name(context.codingPath) ?? "a field") is of another type",
                field: name(context.codingPath))
        default: return DeviceAPIError(.malformed)
        }
    }
}
