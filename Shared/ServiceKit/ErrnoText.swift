import Foundation

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
