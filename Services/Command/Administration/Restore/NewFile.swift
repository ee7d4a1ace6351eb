import Foundation
import ServiceKit

/// A file of the home that is being made, 0600 in directories of 0700.
final class NewFile {
    private let path: String
    private var file: Int32

    /// - Throws: `ServiceError` naming the file; it must not exist.
    init(_ path: String, in home: Home) throws {
        self.path = path
        try home.createDirectory((path as NSString).deletingLastPathComponent)
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
    }

    deinit { if file >= 0 { close(file) } }

    func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress! + done, bytes.count - done) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
            done += count
        }
    }

    /// Has it on disk.
    func finish() throws {
        guard fsync(file) == 0 else { throw ServiceError(.failed, "cannot write \(path)", errno: errno) }
        close(file)
        file = -1
    }
}
