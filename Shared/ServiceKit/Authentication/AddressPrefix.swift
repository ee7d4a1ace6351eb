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
