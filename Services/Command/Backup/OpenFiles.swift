import Foundation

/// How many files this process may have open.
enum OpenFiles {
    /// As many as the system lets it: a home has some hundred databases, each with a log and an index.
    static func allowMany() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
