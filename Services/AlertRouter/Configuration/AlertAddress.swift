internal import ServiceKit

/// Where a tenant's two sockets are bound, or where subscribers find them.
struct AlertAddress: Sendable, Equatable {
    /// Hosts that stand for every address of the machine.
    static let wildcards: Set<String> = ["0.0.0.0", "*", "::"]

    var publish: String
    var replay: String

    init(publish: String, replay: String) {
        self.publish = publish
        self.replay = replay
    }

    /// The addresses of a tenant: port + 2 × its number and the next; port 0 takes any two free ones.
    init(host: String, port: Int, tenant: AlertTenant) {
        let name = Self.bracketed(host)
        let first = port + 2 * Int(tenant.number)
        publish = "tcp://\(name):\(port == 0 ? "*" : "\(first)")"
        replay = "tcp://\(name):\(port == 0 ? "*" : "\(first + 1)")"
    }

    /// - Throws: `ServiceError` of code `address` if a tenant's number leads beyond the last port.
    static func check(port: Int, tenant: AlertTenant) throws {
        let last = port + 2 * Int(tenant.number) + 1
        guard port == 0 || last <= 65_535 else {
            throw ServiceError(
                .address, "NKUL_ALERTS_PORT: \(port) leaves no ports for tenant number \(tenant.number) (\(last))")
        }
    }

    /// The same with a host that can be connected to: a socket bound to every address is found on loopback.
    var reachable: AlertAddress {
        AlertAddress(publish: Self.reachable(publish), replay: Self.reachable(replay))
    }

    /// The same ports of another host.
    func at(_ host: String) -> AlertAddress {
        AlertAddress(publish: Self.moved(publish, to: host), replay: Self.moved(replay, to: host))
    }

    private static func reachable(_ endpoint: String) -> String {
        if endpoint.hasPrefix("tcp://[::]:") { return moved(endpoint, to: "::1") }
        return endpoint.hasPrefix("tcp://0.0.0.0:") ? moved(endpoint, to: "127.0.0.1") : endpoint
    }

    private static func moved(_ endpoint: String, to host: String) -> String {
        let port = endpoint.lastIndex(of: ":").map { endpoint[$0...] } ?? ""
        return "tcp://" + bracketed(host) + port
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
