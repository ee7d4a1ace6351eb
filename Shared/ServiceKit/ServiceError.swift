internal import Foundation

/// Why a program cannot start or go on, in one line that names what and where.
///
/// The text goes to a person as it is; no part of it may be a secret.
public struct ServiceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure: decides the exit code.
    public enum Code: String, Sendable {
        /// A setting or an argument is wrong: exit code 2.
        case usage
        /// The home cannot be used: permissions, another process, a newer version.
        case home
        /// An address or socket cannot be bound.
        case address
        /// Anything else that ends the service.
        case failed
    }

    public let code: Code
    /// One sentence, without the program's name and without a final full stop.
    public let message: String
    /// The errno that was the cause, 0 if there was none.
    public let errno: Int32

    public init(_ code: Code, _ message: String, errno: Int32 = 0) {
        self.code = code
        self.message = message
        self.errno = errno
    }

    /// The process's exit code for it: 2 for wrong usage, else 1.
    public var exitCode: Int32 { code == .usage ? 2 : 1 }

    public var description: String {
        errno == 0 ? message : "\(message): \(ErrnoText.of(errno))"
    }
}

/// The words for an errno, with its symbolic name where a person may want to look it up.
public enum ErrnoText {
    /// `Permission denied (EACCES)`; `errno 93` where the name is not in the table.
    public static func of(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        return "\(text) (\(names[code] ?? "errno \(code)"))"
    }

    private static let names: [Int32: String] = [
        EACCES: "EACCES", EPERM: "EPERM", EROFS: "EROFS", ENOENT: "ENOENT", ENOTDIR: "ENOTDIR", EEXIST: "EEXIST",
        EADDRINUSE: "EADDRINUSE", EADDRNOTAVAIL: "EADDRNOTAVAIL", ENOSPC: "ENOSPC", EIO: "EIO", EMFILE: "EMFILE",
        EISDIR: "EISDIR", ENAMETOOLONG: "ENAMETOOLONG", EDQUOT: "EDQUOT", EINVAL: "EINVAL", ELOOP: "ELOOP",
    ]
}
