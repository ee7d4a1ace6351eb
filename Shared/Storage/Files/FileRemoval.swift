internal import Foundation
internal import Glibc

/// Removal of files that a power cut does not bring back. Stateless, usable from any thread.
public enum FileRemoval {
    /// Unlinks files of a directory, in this order; they are gone from the disk when it returns. Files that are not there change
    /// nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    public static func remove(_ paths: [String], in directory: String) throws {
        for file in paths {
            guard unlink(file) == 0 || errno == ENOENT else { throw failure(file) }
        }
        let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { _ = Glibc.close(folder) } }
        guard folder >= 0, fsync(folder) == 0 else { throw failure(directory) }
    }

    private static func failure(_ path: String) -> StorageError {
        let error = errno
        return StorageError(
            .inputOutput, path: path, message: String(cString: strerror(error)), systemError: error)
    }
}
