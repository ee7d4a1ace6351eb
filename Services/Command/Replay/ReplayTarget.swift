import ServiceKit

/// Where to send: `http://127.0.0.1:8080`.
struct ReplayTarget: Sendable, Equatable {
    let address: HostPort

    /// - Throws: ``ServiceError`` of code `usage` for anything but `http://host[:port]`.
    init(url: String) throws {
        guard !url.lowercased().hasPrefix("https://") else {
            throw ServiceError(.usage, "--url \(url): phones are played over clear text; name an address without TLS")
        }
        var rest = url[...]
        if rest.lowercased().hasPrefix("http://") { rest = rest.dropFirst("http://".count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let hasPort = rest.hasSuffix("]") ? false : rest.contains(":")
        guard let address = HostPort(hasPort ? String(rest) : "\(rest):80"), address.port > 0 else {
            throw ServiceError(.usage, "--url \(url): expected http://host:port")
        }
        self.address = address
    }

    init(_ address: HostPort) { self.address = address }
}
