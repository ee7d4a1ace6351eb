internal import Foundation
internal import Models

extension JSONValue {
    /// Reads JSON text.
    ///
    /// - Throws: `DecodingError` if it is none.
    public init(bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

    /// The value as JSON shows it.
    ///
    /// - Throws: `EncodingError`, for a number that is not finite for example.
    public init(encoding value: some Encodable) throws { self = try JSONValue(bytes: SortedJSON.bytes(of: value)) }

    /// The value read as a type.
    ///
    /// - Throws: `DecodingError` naming the member at fault.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(SortedJSON.bytes(of: self)))
    }

    /// One line of JSON with sorted keys.
    public var text: String { (try? SortedJSON.bytes(of: self)).map { String(decoding: $0, as: UTF8.self) } ?? "null" }
}
