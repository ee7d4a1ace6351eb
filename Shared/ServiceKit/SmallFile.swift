import Foundation

/// Files of a few bytes, read and written whole.
public enum SmallFile {
    /// - Throws: ``ServiceError`` of code `home` naming the file and the cause.
    public static func read(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ServiceError(.home, "cannot read \(path)", errno: errno) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw ServiceError(.home, "cannot read \(path)", errno: errno) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Makes the file (it must not exist) with mode 0600, and syncs it.
    ///
    /// - Throws: ``ServiceError`` of code `home` naming the file and the cause.
    public static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ServiceError(.home, "cannot write \(path)", errno: errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw ServiceError(.home, "cannot write \(path)", errno: errno)
        }
    }

    /// Removes a file for good: after a power cut it is gone, too.
    ///
    /// - Throws: ``ServiceError`` of code `home` naming the file and the cause.
    public static func remove(_ path: String) throws {
        let directory = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        guard directory >= 0, unlink(path) == 0, fsync(directory) == 0 else {
            throw ServiceError(.home, "cannot remove \(path)", errno: errno)
        }
    }

    /// Puts the text in the place of the file at once: a reader sees the old or the new, never a part, and after it has returned the
    /// new one also when the power was cut.
    ///
    /// - Throws: ``ServiceError`` of code `home` naming the file and the cause.
    public static func replace(_ path: String, with text: String) throws {
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        try write(text, to: draft)
        guard rename(draft, path) == 0 else { throw ServiceError(.home, "cannot write \(path)", errno: errno) }
        try syncDirectory(of: path)
    }

    /// Makes names in the directory of a file durable.
    private static func syncDirectory(of path: String) throws {
        let name = (path as NSString).deletingLastPathComponent
        let directory = open(name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        guard directory >= 0, fsync(directory) == 0 else {
            throw ServiceError(.home, "cannot write \(path)", errno: errno)
        }
    }
}
