internal import Foundation
internal import Glibc

extension ServiceDatabase {
    /// Unlinks the file of a database that nobody of this process has open, and those beside it; they are gone from the disk
    /// when it returns. Files that are not there change nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    public static func removeFiles(at path: String) throws {
        // The log goes first: left behind, it would be taken for that of a new file of the same name.
        for file in [path + "-wal", path + "-shm", path] {
            guard unlink(file) == 0 || errno == ENOENT else { throw failure(file) }
        }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
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
