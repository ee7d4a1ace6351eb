import Foundation

/// A service's claim on its part of a home: no second process gets it while this value lives.
///
/// The kernel releases it when the process ends, however it ends. The file holds the owner's process id.
///
/// It is a lock of the open file description (`F_OFD_SETLK`, fcntl(2)) and not flock(2)'s, for whether that of flock is held
/// can only be seen by taking it: a service that starts at such a moment would be refused.
public final class HomeLock: Sendable {
    private let file: Int32

    /// - Throws: ``ServiceError`` of code `home` that names the lock file and the process that holds it.
    public init(_ home: Home, of service: ServiceName) throws {
        let path = home.lockFile(of: service)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ServiceError(.home, "cannot open the lock \(path)", errno: errno) }
        var whole = Self.wholeFile
        guard fcntl(file, Self.take, &whole) == 0 else {
            let cause = errno
            close(file)
            guard cause == EAGAIN || cause == EACCES else {
                throw ServiceError(.home, "cannot lock \(path)", errno: cause)
            }
            let owner = Self.owner(home, of: service).map { " (process \($0))" } ?? ""
            throw ServiceError(
                .home, "another \(service.executable)\(owner) owns the home \(home.path): it holds \(path)")
        }
        self.file = file
        let text = Array("\(getpid())\n".utf8)
        ftruncate(file, 0)
        pwrite(file, text, text.count, 0)
    }

    deinit { close(file) }

    /// The process id that stands in the lock file, whether or not it is still held.
    public static func owner(_ home: Home, of service: ServiceName) -> Int32? {
        guard let text = try? SmallFile.read(home.lockFile(of: service)) else { return nil }
        return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Whether a process holds the lock now. To ask is not to take: nobody is refused for it.
    public static func isHeld(_ home: Home, of service: ServiceName) -> Bool {
        let file = open(home.lockFile(of: service), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var whole = Self.wholeFile
        return fcntl(file, Self.look, &whole) == 0 && whole.l_type != Int16(F_UNLCK)
    }

    /// `F_OFD_GETLK` and `F_OFD_SETLK`, which Swift does not import.
    private static let look: Int32 = 36
    private static let take: Int32 = 37

    private static var wholeFile: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
