internal import CLinux
internal import Glibc

/// A descriptor of one's own of a database's file, for what SQLite does not do with its file.
///
/// It must be closed after the connection, because closing any descriptor of a file gives up the process's POSIX locks on
/// it: whoever holds the connection holds this longer.
final class DatabaseFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Nil if the file cannot be opened.
    init?(path: String) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Bytes of the file.
    var byteCount: Int64 { Int64(lseek(descriptor, 0, SEEK_END)) }

    /// Makes the file so long, with space set aside for all of it.
    ///
    /// - Returns: false if there is no room, or if the file system cannot.
    func reserve(_ byteCount: Int64) -> Bool { posix_fallocate(descriptor, 0, off_t(byteCount)) == 0 }

    /// Has what was written by now carried to the disk and waits for it; promises nothing about a power cut.
    func writeBack() { _ = nkul_write_back(descriptor) }
}
