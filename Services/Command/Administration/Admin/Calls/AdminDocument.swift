import Foundation
import Models
import ServiceKit

/// A document that an operator hands in as a file.
enum AdminDocument {
    /// The JSON object in a file; `-` is standard input.
    ///
    /// - Throws: `ServiceError` of code `usage` if there is none, or it has more than a control request may have.
    static func read(_ file: String) throws -> JSONValue {
        let input = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let input else { throw ServiceError(.usage, "cannot read \(file)") }
        let bytes = try input.read(upToCount: ControlRequest.mostBytes + 1) ?? Data()
        guard let document = try? JSONValue(bytes: [UInt8](bytes)), document.object != nil else {
            throw ServiceError(.usage, "\(file) is not a JSON object of at most \(ControlRequest.mostBytes) bytes")
        }
        return document
    }
}

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
