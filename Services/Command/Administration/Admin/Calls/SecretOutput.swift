import Foundation
import ServiceKit

/// A new file that only its owner may read.
struct SecretOutput {
    private let path: String
    private let handle: FileHandle

    /// - Throws: `ServiceError` if there is a file, or none can be made.
    init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw ServiceError(.failed, "\(path) cannot be made, or is there already", errno: errno)
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ data: Data) throws { try handle.write(contentsOf: data) }

    func close() throws { try handle.close() }

    /// Removes what was begun.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
