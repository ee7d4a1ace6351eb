import Foundation

/// How many files and sockets this process may have open.
public enum OpenFiles {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// How many at present.
    public static var most: Int {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
    }

    /// From now on as many as the system lets it: a home has some hundred databases, each with a log and an index, and each
    /// phone that is connected is an open socket. A shell's usual limit is 1 024.
    public static func allowMany() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
