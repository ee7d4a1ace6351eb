#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Finds out why SQLite would only say "unable to open database file".
enum DirectoryCheck {
    /// Throws ``StorageError`` `notWritable`, naming the directory or file and errno, unless a database can be made at `path`.
    static func requireWritable(_ path: String) throws {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try require(directory.isEmpty ? "/" : directory, R_OK | W_OK | X_OK)
        if access(path, F_OK) == 0 { try require(path, R_OK | W_OK) }
    }

    private static func require(_ path: String, _ mode: Int32) throws {
        guard access(path, mode) != 0 else { return }
        let error = errno
        throw StorageError(.notWritable, path: path, message: String(cString: strerror(error)), systemError: error)
    }
}
