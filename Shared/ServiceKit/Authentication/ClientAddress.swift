public import NIOCore

/// Where a client connects from: the sixteen bytes of its IP address, one of IPv4 as `::ffff:a.b.c.d` (RFC 4291, 2.5.5.2).
///
/// Personal data: held as long as the connection, never written. What is written is its ``prefix``.
public struct ClientAddress: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// For whatever has no address.
    public static let none = ClientAddress(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter bytes: the four of an IPv4 address.
    public static func v4(_ bytes: [UInt8]) -> ClientAddress {
        ClientAddress(high: 0, low: 0xFFFF << 32 | word(bytes[...]))
    }

    /// - Parameter bytes: the sixteen of an IPv6 address.
    public static func v6(_ bytes: [UInt8]) -> ClientAddress {
        ClientAddress(high: word(bytes.prefix(8)), low: word(bytes.suffix(8)))
    }

    /// The address lies in the fourth to eighth byte of a `sockaddr_in`, in the eighth to 24th of a `sockaddr_in6`.
    public init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): self = .v4(withUnsafeBytes(of: address.address) { Array($0[4..<8]) })
        case .v6(let address): self = .v6(withUnsafeBytes(of: address.address) { Array($0[8..<24]) })
        default: self = .none
        }
    }

    private var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// This machine's own: a client beside the service, or a proxy that speaks for everybody.
    public var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// What belongs to one subscriber line: a whole IPv4 address, the first 64 bits of one of IPv6.
    public var line: UInt64 { isIPv4 ? low : high }

    /// What may be written of it.
    public var prefix: AddressPrefix {
        if self == .none { return .none }
        if isIPv4 { return AddressPrefix(text: "\(low >> 24 & 0xFF).\(low >> 16 & 0xFF).\(low >> 8 & 0xFF).0/24") }
        let groups = [48, 32, 16].map { String(high >> $0 & 0xFFFF, radix: 16) }
        return AddressPrefix(text: groups.joined(separator: ":") + "::/48")
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The part of a client's address that may be kept: /24 of IPv4, /48 of IPv6.
public struct AddressPrefix: Sendable, Hashable {
    /// As `203.0.113.0/24` or `2001:db8:1::/48`.
    public let text: String

    /// For whatever has no address.
    public static let none = AddressPrefix(text: "none")
    /// For those beyond as many as are told apart.
    public static let others = AddressPrefix(text: "others")

    public init(text: String) { self.text = text }
}
