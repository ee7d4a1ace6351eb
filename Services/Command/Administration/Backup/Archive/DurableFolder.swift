import Foundation
import ServiceKit

/// Directories whose entries are on disk.
enum DurableFolder {
    /// Has what was made, renamed or removed in a directory carried to the disk.
    static func sync(_ path: String) throws {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        guard directory >= 0, fsync(directory) == 0 else {
            throw ServiceError(.failed, "cannot sync the directory \(path)", errno: errno)
        }
    }
}
