#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// A file that holds disk space so that it can be given up: trimming and erasure need some of it on a full disk.
///
/// May be used from any thread.
public final class Ballast: Sendable {
    public let path: String
    public let byteCount: Int
    private let present = Mutex(false)

    /// Describes the file; ``restore()`` makes it.
    public init(path: String, byteCount: Int) {
        self.path = path
        self.byteCount = byteCount
    }

    /// False after ``release()``: the disk was full and is not known to have room again.
    public var isPresent: Bool { present.withLock { $0 } }

    /// Gives the space back to the disk.
    public func release() {
        present.withLock {
            unlink(path)
            $0 = false
        }
    }

    /// Takes the space, if the disk has it.
    ///
    /// - Returns: false if there is no room.
    /// - Throws: ``StorageError`` `notWritable` if the file cannot be made at all.
    public func restore() throws -> Bool {
        try present.withLock { present in
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failure(errno) }
            defer { close(file) }
            let code = posix_fallocate(file, 0, off_t(byteCount))
            if code == ENOSPC || code == EDQUOT {
                unlink(path)
                present = false
            } else if code != 0 {
                unlink(path)
                throw failure(code)
            } else {
                present = true
            }
            return present
        }
    }

    private func failure(_ code: Int32) -> StorageError {
        StorageError(
            .notWritable, path: path, message: "no ballast: \(String(cString: strerror(code)))", systemError: code)
    }
}
