/// Where people open the subscribers' app: passkeys are made for that place alone (WebAuthn).
package struct PasskeyOrigin: Sendable, Equatable {
    /// As browsers tell it: `https://nkul.example`, with the port if it is not the usual one.
    package let text: String
    /// The relying party: the host.
    package let relyingParty: String

    /// Reads an origin; nil if it is none that browsers make passkeys for: `https://` and a name, or `http://localhost`.
    package init?(text: String) {
        let text = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let parts = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2,
            host.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789.-".utf8.contains($0) }),
            // An address is no relying party.
            host.contains(where: \.isLetter), host.first != ".", host.last != ".",
            scheme == "https://" || host == "localhost"
        else { return nil }
        if parts.count == 2 { guard let port = UInt16(parts[1]), port > 0, "\(port)" == parts[1] else { return nil } }
        self.text = text
        relyingParty = String(host)
    }
}
