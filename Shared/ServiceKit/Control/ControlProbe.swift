import Foundation

/// Looks whether somebody listens on a Unix socket. libzmq would go on connecting for ever and never say.
enum ControlProbe {
    /// The errno with which the system refuses a connection; nil if it grants one.
    static func refusal(at path: String) -> Int32? {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return errno }
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: path.utf8.prefix(ControlAddress.longestPath))
        }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? nil : errno
    }
}
