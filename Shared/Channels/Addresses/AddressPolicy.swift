/// Which addresses a channel may be told at: those of the internet, and what the operator of the home names.
///
/// Pure. It is asked when a channel is set, as far as its URL names an address, and again for what a name resolves to before each
/// connection.
public struct AddressPolicy: Sendable, Equatable {
    /// Networks that would be refused and are allowed.
    package let allowed: [IPNetwork]

    package init(allowing allowed: [IPNetwork] = []) { self.allowed = allowed }

    /// For what the operator of the home sets up for everybody.
    public static let everywhere = AddressPolicy(allowing: ["0.0.0.0/0", "::/0"].compactMap(IPNetwork.init(text:)))

    /// Why an address may not be connected to; nil if it may.
    public func refusal(of address: IPAddress) -> String? {
        guard let kind = Self.kind(of: address) else { return nil }
        let meant = address.embedded ?? address
        guard !allowed.contains(where: { $0.contains(address) || $0.contains(meant) }) else { return nil }
        return kind
    }

    /// Whether names of this machine may be told at.
    package var allowsLoopback: Bool {
        refusal(of: IPAddress(bytes: [127, 0, 0, 1])) == nil || refusal(of: IPAddress(text: "::1")!) == nil
    }

    /// What an address is that is not one of the internet.
    private static func kind(of address: IPAddress) -> String? {
        guard address.isV6 else { return kind(ofV4: address) }
        if let inner = address.embedded, address != IPAddress(text: "::1"), address != IPAddress(text: "::") {
            let isGlobal = kind(ofV4: inner)
            // Mapped and translated addresses are nobody's way to the internet but a way around this check.
            return isGlobal
                ?? (address.bytes[0] == 0 && address.bytes[1] == 0 ? "an IPv4 address in the form of IPv6" : nil)
        }
        if let special = v6.first(where: { $0.network.contains(address) }) { return special.kind }
        return internet.contains(address) ? nil : "not an address of the internet"
    }

    private static func kind(ofV4 address: IPAddress) -> String? {
        v4.first { $0.network.contains(address) }?.kind
    }

    private static let internet = IPNetwork(text: "2000::/3")!

    private static func named(_ list: [(String, String)]) -> [(network: IPNetwork, kind: String)] {
        list.map { (IPNetwork(text: $0.0)!, $0.1) }
    }

    /// IANA's special purpose registries.
    private static let v4 = named([
        ("0.0.0.0/8", "this network"), ("10.0.0.0/8", "a private network"), ("100.64.0.0/10", "a carrier's network"),
        ("127.0.0.0/8", "this machine"), ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private network"), ("192.0.0.0/24", "a reserved network"),
        ("192.0.2.0/24", "a network for documentation"), ("192.88.99.0/24", "a reserved network"),
        ("192.168.0.0/16", "a private network"), ("198.18.0.0/15", "a network for benchmarks"),
        ("198.51.100.0/24", "a network for documentation"), ("203.0.113.0/24", "a network for documentation"),
        ("224.0.0.0/4", "a multicast address"), ("240.0.0.0/4", "a reserved network"),
    ])

    private static let v6 = named([
        ("::1/128", "this machine"), ("::/128", "this network"), ("64:ff9b:1::/48", "a local translation"),
        ("fc00::/7", "a private network"), ("fe80::/10", "a link-local address"), ("fec0::/10", "a private network"),
        ("ff00::/8", "a multicast address"), ("2001::/23", "a reserved network"),
        ("2001:db8::/32", "a network for documentation"), ("100::/64", "a network that discards"),
        ("3fff::/20", "a network for documentation"),
    ])
}
