internal import ServiceKit

/// Where a tenant's two sockets are bound, or where subscribers find them.
struct AlertAddress: Sendable, Equatable {
    var publish: String
    var replay: String

    init(publish: String, replay: String) {
        self.publish = publish
        self.replay = replay
    }

    /// The addresses of a tenant: port + 2 × its number and the next; port 0 takes any two free ones.
    init(host: String, port: Int, tenant: AlertTenant) {
        let name = host.contains(":") ? "[\(host)]" : host
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

    private static func reachable(_ endpoint: String) -> String {
        for wildcard in ["tcp://0.0.0.0:", "tcp://*:"] where endpoint.hasPrefix(wildcard) {
            return "tcp://127.0.0.1:" + endpoint.dropFirst(wildcard.count)
        }
        return endpoint
    }
}
