public import ServiceKit

/// The URL of a channel, read strictly: what any program could read differently is refused.
public struct TargetURL: Sendable, Hashable {
    /// Why a text is no target, in words that follow "is" or "names".
    public typealias Refusal = DocumentReader.Fault

    public let text: String
    public let isSecure: Bool
    /// In lower case; an address of IPv6 without its brackets.
    public let host: String
    public let port: Int
    /// As requests have it: in its usual form.
    public let requestText: String
    /// `https://host`, with the port unless it is the usual one (RFC 6454).
    public let origin: String

    /// What may stand there, for messages.
    public static let allowed =
        "http:// or https://, a host of the internet and a path, without user, at most 2048 characters of ASCII"

    /// - Throws: ``Refusal``.
    public init(_ text: String, _ policy: AddressPolicy) throws(Refusal) {
        guard (1...2_048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains(where: { "\\<>\"^`{|}".contains($0) })
        else { throw Refusal(text: "has characters that a URL has not, or more than 2048") }
        let lower = text.lowercased()
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else {
            throw Refusal(text: "does not begin with http:// or https://")
        }
        isSecure = lower.hasPrefix("https://")
        let rest = text.dropFirst(isSecure ? 8 : 7)
        let authority = String(rest.prefix { !"/?#".contains($0) })
        guard !authority.contains("@") else { throw Refusal(text: "has a user in it") }
        guard !authority.contains("%") else { throw Refusal(text: "has an escaped host") }
        guard !text.contains("#") else { throw Refusal(text: "has a fragment") }
        let (host, port) = try Self.split(authority)
        self.text = text
        self.host = host
        if let port {
            guard let number = Int(port), (1...65_535).contains(number), String(number) == port else {
                throw Refusal(text: "has the port \"\(port.prefix(16))\"; expected 1…65535")
            }
            self.port = number
        } else {
            self.port = isSecure ? 443 : 80
        }
        let shown = host.contains(":") ? "[\(host)]" : host, usual = isSecure ? 443 : 80
        origin = (isSecure ? "https://" : "http://") + shown + (self.port == usual ? "" : ":\(self.port)")
        let path = String(rest.dropFirst(authority.utf8.count))
        requestText = origin + (path.hasPrefix("/") ? "" : "/") + path
        try Self.check(host, policy)
    }

    private static func split(_ authority: String) throws(Refusal) -> (host: String, port: String?) {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw Refusal(text: "has an unfinished host") }
            let host = String(authority[authority.index(after: authority.startIndex)..<end])
            let rest = authority[authority.index(after: end)...]
            guard let address = IPAddress(text: host), address.isV6, rest.isEmpty || rest.hasPrefix(":") else {
                throw Refusal(text: "has a host in brackets that is no address of IPv6")
            }
            return (address.description, rest.isEmpty ? nil : String(rest.dropFirst()))
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2 else { throw Refusal(text: "has more than one port") }
        var host = parts[0].lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    private static func check(_ host: String, _ policy: AddressPolicy) throws(Refusal) {
        if let address = IPAddress(text: host) {
            if let kind = policy.refusal(of: address) { throw Refusal(text: "names \(address), \(kind)") }
            return
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253,
            labels.allSatisfy({ label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (48...57).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 95
                    }
            })
        else { throw Refusal(text: "has a host that is no name") }
        // Some resolvers read 2130706433, 0x7f.1, 0177.0.0.1 and 127.1 as addresses.
        let last = labels.last ?? ""
        let isNumber =
            last.utf8.allSatisfy { (48...57).contains($0) }
            || last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
        guard !isNumber else { throw Refusal(text: "has a number as host that is not four decimal parts") }
        let isLocal =
            ["localhost", "localdomain", "local", "internal"].contains(String(last)) || host.hasSuffix("home.arpa")
        guard !isLocal || policy.allowsLoopback else { throw Refusal(text: "names a host of this machine or network") }
    }
}
