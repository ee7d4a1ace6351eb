import ServiceKit

/// Where to send: `http://127.0.0.1:8080`, `https://phones.example`.
struct ReplayTarget: Sendable, Equatable, CustomStringConvertible {
    let address: HostPort
    /// Whether TLS is spoken there.
    let isSecure: Bool

    /// - Throws: ``ServiceError`` of code `usage` for anything but `http://host[:port]` and `https://host[:port]`.
    init(url: String) throws {
        var rest = url[...]
        let isSecure = rest.lowercased().hasPrefix("https://")
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let hasPort = rest.hasSuffix("]") ? false : rest.contains(":")
        guard let address = HostPort(hasPort ? String(rest) : "\(rest):\(isSecure ? 443 : 80)"), address.port > 0 else {
            throw ServiceError(.usage, "--url \(url): expected http://host:port or https://host:port")
        }
        self.init(address, isSecure: isSecure)
    }

    init(_ address: HostPort, isSecure: Bool = false) {
        self.address = address
        self.isSecure = isSecure
    }

    var description: String { "\(isSecure ? "https" : "http")://\(address)" }

    /// How its connections are secured; nil: not at all.
    ///
    /// - Parameter authorities: PEM file with who is trusted; nil: whom the system trusts.
    /// - Throws: ``ServiceError`` of code `usage` if the file cannot be used, or there is nothing to be trusted.
    func security(authorities: String?) throws -> LoadSecurity? {
        guard isSecure else {
            guard authorities == nil else { throw ServiceError(.usage, "--ca: \(self) is clear text") }
            return nil
        }
        return try LoadSecurity(address, authorities: authorities)
    }
}
