#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Files that only their owner may read, written so that a crash leaves the old content or the new, never a part.
enum SecretFile {
    /// The content, nil if there is no file; refuses one that others may read or that another user owns.
    static func content(of path: String) throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path, errno)
        }
        defer { close(file) }
        try requirePrivate(path)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, errno) }
        return Array(bytes.prefix(count))
    }

    /// Makes a file unless there is one.
    static func create(at path: String, bytes: [UInt8], in directory: String) throws {
        let temporary = try writeTemporary(for: path, bytes)
        defer { unlink(temporary) }
        if link(temporary, path) != 0 && errno != EEXIST { throw failure(path, errno) }
        try synchronise(directory)
    }

    /// Makes a file or replaces it.
    static func replace(_ path: String, bytes: [UInt8], in directory: String) throws {
        let temporary = try writeTemporary(for: path, bytes)
        if rename(temporary, path) != 0 {
            let code = errno
            unlink(temporary)
            throw failure(path, code)
        }
        try synchronise(directory)
    }

    /// Throws `badKey` if group or others have any right, or another user owns it.
    static func requirePrivate(_ path: String) throws {
        var information = stat()
        guard lstat(path, &information) == 0 else { throw failure(path, errno) }
        let mode = information.st_mode & 0o777
        guard mode & 0o077 == 0 else {
            throw StorageError(
                .badKey, path: path, message: "others may access it (mode \(String(mode, radix: 8))); chmod go= it")
        }
        guard information.st_uid == geteuid() else {
            throw StorageError(
                .badKey, path: path, message: "belongs to user \(information.st_uid), not to \(geteuid())")
        }
    }

    static func failure(_ path: String, _ code: Int32) -> StorageError {
        StorageError(.notWritable, path: path, message: String(cString: strerror(code)), systemError: code)
    }

    private static func writeTemporary(for path: String, _ bytes: [UInt8]) throws -> String {
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max)).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(temporary, errno) }
        defer { close(file) }
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure(temporary, code)
        }
        return temporary
    }

    private static func synchronise(_ directory: String) throws {
        let file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure(directory, errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure(directory, errno) }
    }
}
