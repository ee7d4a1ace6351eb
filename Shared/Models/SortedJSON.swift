internal import Foundation

/// JSON as all services write it: members in the order of their names, slashes as they are, so that the same value is always
/// the same bytes.
public enum SortedJSON {
    /// - Throws: `EncodingError`.
    public static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }

    /// - Throws: `EncodingError`.
    public static func text(of value: some Encodable) throws -> String {
        String(decoding: try bytes(of: value), as: UTF8.self)
    }
}
