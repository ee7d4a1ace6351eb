public import ZeroMQ

/// A lane's address as its writer and its readers see it.
enum LaneAddress {
    /// What the writer of `tcp://host:port` binds.
    ///
    /// A number is bound as it is. A name is for readers, who ask for it at every connection; ZeroMQ binds no names, and the
    /// own name often stands for 127.0.1.1 in `/etc/hosts`. So its writer listens on every address of the machine, where
    /// the keys decide who enters.
    static func binding(_ address: String) -> String {
        let scheme = "tcp://"
        guard address.hasPrefix(scheme), let colon = address.lastIndex(of: ":") else { return address }
        let host = address[address.index(address.startIndex, offsetBy: scheme.count)..<colon]
        let port = address[colon...]
        if host == "localhost" { return "\(scheme)127.0.0.1\(port)" }
        return isNumeric(host) ? address : "\(scheme)*\(port)"
    }

    private static func isNumeric(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// Where a lane is offered or found, and by which keys.
public struct LaneEndpoint: Sendable {
    /// `ipc://…`, or `tcp://…` with CURVE.
    public var address: String
    public var security: SocketSecurity
    /// Public keys (Z85) that its writer lets in, under ``LaneKeys/domain``.
    public var admitted: [String]

    public init(address: String, security: SocketSecurity = .local, admitted: [String] = []) {
        self.address = address
        self.security = security
        self.admitted = admitted
    }
}
