import Foundation
import Models
import ServiceKit

/// What `/.well-known/nkul-keys.json` answered, kept in a file.
struct PublicKeys: Decodable {
    let keys: [VerificationKeyDocument]

    /// - Throws: `ServiceError` naming the file.
    init(file: String) throws { self = try DocumentFile.read(file) }
}

/// Files of JSON that people give to a command.
enum DocumentFile {
    /// - Throws: `ServiceError` naming the file.
    static func read<Document: Decodable>(_ path: String) throws -> Document {
        do { return try JSONDecoder().decode(Document.self, from: bytes(of: path)) } catch let error as DecodingError {
            throw ServiceError(.failed, "\(path) is not what is expected: \(error)")
        }
    }

    /// - Throws: `ServiceError` naming the file.
    static func bytes(of path: String) throws -> Data {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ServiceError(.failed, "\(path) cannot be read")
        }
        return bytes
    }
}
