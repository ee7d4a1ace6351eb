internal import Glibc

/// The address of a socket, checked before libzmq sees it.
struct Endpoint {
    /// `sun_path` of a Unix address, less its closing NUL.
    static let longestPath = 107

    let text: String

    init(_ text: String, for operation: ZeroMQError.Operation) throws(ZeroMQError) {
        self.text = text
        guard text.hasPrefix("ipc://") else { return }
        let path = text.dropFirst(6)
        guard path.utf8.count <= Endpoint.longestPath else {
            throw ZeroMQError(
                operation, endpoint: text, code: ENAMETOOLONG,
                detail:
                    "the socket path is \(path.utf8.count) bytes long, at most \(Endpoint.longestPath) are possible;"
                    + " choose a shorter home")
        }
    }

    var isRemote: Bool { !text.hasPrefix("ipc://") && !text.hasPrefix("inproc://") }

    /// An address in brackets; libzmq wants to be told.
    var isIPv6: Bool { text.hasPrefix("tcp://[") }

    /// Whether the host of a `tcp://host:port` is this machine.
    var isLoopback: Bool {
        guard text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":") else { return false }
        let host = text[text.index(text.startIndex, offsetBy: 6)..<colon]
        return host == "localhost" || host == "[::1]" || Endpoint.isLoopbackIPv4(host)
    }

    /// `127.x.y.z` as numbers; a name such as `127.example.org` is another machine's.
    private static func isLoopbackIPv4(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    func refused(_ operation: ZeroMQError.Operation, _ detail: String) -> ZeroMQError {
        ZeroMQError(operation, endpoint: text, code: EACCES, detail: detail)
    }
}
