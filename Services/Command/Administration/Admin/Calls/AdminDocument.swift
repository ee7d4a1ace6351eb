import Foundation
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
