internal import NIOCore

/// The part of a client's address that is kept of a failed login: /24 of IPv4, /48 of IPv6.
struct AddressPrefix: Sendable, Hashable {
    /// As `203.0.113.0/24` or `2001:db8:1::/48`.
    let text: String

    /// For whatever has no address.
    static let none = AddressPrefix(text: "none")

    init(text: String) { self.text = text }

    /// The address lies in the fourth to eighth byte of a `sockaddr_in`, in the eighth to 24th of a `sockaddr_in6`.
    init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            self = Self.v4(withUnsafeBytes(of: address.address) { Array($0[4..<8]) })
        case .v6(let address):
            self = Self.v6(withUnsafeBytes(of: address.address) { Array($0[8..<24]) })
        default:
            self = .none
        }
    }

    /// - Parameter bytes: the four of an IPv4 address.
    static func v4(_ bytes: [UInt8]) -> AddressPrefix {
        AddressPrefix(text: "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24")
    }

    /// - Parameter bytes: the sixteen of an IPv6 address, which may hold one of IPv4 (`::ffff:…`).
    static func v6(_ bytes: [UInt8]) -> AddressPrefix {
        if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] { return v4(Array(bytes.suffix(4))) }
        let groups = stride(from: 0, to: 6, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return AddressPrefix(text: groups.joined(separator: ":") + "::/48")
    }
}
