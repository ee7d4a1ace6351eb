internal import Foundation
internal import Glibc
internal import Storage

/// How whole days go.
extension RawRowFiles {
    /// Unlinks a day's file and those beside it; they are gone from the disk when it returns. Downloads that are at it end it
    /// where they are. A day without a file changes nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    func retire(_ day: String) throws {
        // Whoever reads asks the index whether a day is there before it says that its file cannot be opened.
        index.remove(day)
        try closeFile(of: day)
        guard directory != Self.inMemory else { return }
        let path = Self.path(of: day, in: directory)
        // The log goes first: left behind, it would be taken for that of a new file of the same name.
        for file in [path + "-wal", path + "-shm", path] {
            guard unlink(file) == 0 || errno == ENOENT else { throw Self.failure(file) }
        }
        let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { _ = Glibc.close(folder) } }
        guard folder >= 0, fsync(folder) == 0 else { throw Self.failure(directory) }
    }

    /// Bytes of a day's file.
    func bytes(of day: String) -> Int {
        guard directory != Self.inMemory else { return 0 }
        let attributes = try? FileManager.default.attributesOfItem(atPath: Self.path(of: day, in: directory))
        return attributes?[.size] as? Int ?? 0
    }

    private static func failure(_ path: String) -> StorageError {
        let error = errno
        return StorageError(
            .inputOutput, path: path, message: String(cString: strerror(error)), systemError: error)
    }
}
