#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An address of IPv4 or IPv6, as its bytes.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16.
    public let bytes: [UInt8]

    /// - Parameter bytes: 4 or 16 of them, the first one first.
    public init(bytes: [UInt8]) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
    }

    /// Reads the one usual form: four decimal parts without leading zeros, or the text of RFC 4291 without a zone.
    public init?(text: String) {
        var v4 = in_addr(), v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: &v6) { Array($0) }
        } else {
            return nil
        }
    }

    package var isV6: Bool { bytes.count == 16 }

    public var description: String {
        if !isV6 { return bytes.map(String.init).joined(separator: ".") }
        var copy = bytes, text = [CChar](repeating: 0, count: 64)
        guard inet_ntop(AF_INET6, &copy, &text, 64) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address of IPv4 that this one of IPv6 stands for: mapped, compatible, NAT64, 6to4; itself for one of IPv4.
    package var embedded: IPAddress? {
        guard isV6 else { return self }
        if bytes.starts(with: [0x20, 0x02]) { return IPAddress(bytes: Array(bytes[2..<6])) }
        let isNAT64 = bytes.starts(with: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0])
        let isMapped =
            bytes[..<10].allSatisfy { $0 == 0 } && (bytes[10...11] == [0xff, 0xff] || bytes[10...11] == [0, 0])
        return isNAT64 || isMapped ? IPAddress(bytes: Array(bytes[12...])) : nil
    }
}

/// A network of addresses: `10.0.0.0/8`, `fd00::/8`; an address alone is a network of one.
package struct IPNetwork: Sendable, Hashable, CustomStringConvertible {
    package let address: IPAddress
    package let bits: Int

    /// Reads `address/bits`; bits of the address beyond the prefix must be zero.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let address = IPAddress(text: parts[0]) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits),
            parts.count == 1 || parts[1] == String(bits)
        else { return nil }
        self.address = address
        self.bits = bits
        guard Self.masked(address.bytes, bits) == address.bytes else { return nil }
    }

    package func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == address.bytes.count && Self.masked(other.bytes, bits) == address.bytes
    }

    package var description: String { "\(address)/\(bits)" }

    private static func masked(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(bits - index * 8, 0), 8)
            return kept == 0 ? 0 : byte & ~UInt8(truncatingIfNeeded: 0xff >> kept)
        }
    }
}
