package import IngestUploads
internal import NIOHTTP1

/// Web pages of other servers that may call the device API from a browser (WHATWG Fetch, CORS). None unless they are named.
package struct AllowedOrigins: Sendable, Equatable {
    private let origins: Set<String>

    package static let none = AllowedOrigins(origins: [])
    package var isEmpty: Bool { origins.isEmpty }

    private init(origins: Set<String>) { self.origins = origins }

    /// Reads `https://one.example, https://two.example:8443`; nil if that is not what the text is. Neither `*` nor `null` is an
    /// origin: who may call is named.
    package init?(text: String) {
        var origins: Set<String> = []
        for part in text.split(separator: ",") {
            let origin = part.trimmed.lowercased()
            guard Self.isOrigin(origin) else { return nil }
            origins.insert(origin)
        }
        self.init(origins: origins)
    }

    /// The origin that a request comes from, if it may.
    package func origin(of head: RequestHead) -> String? {
        guard !isEmpty, let origin = head.field("Origin"), origins.contains(origin.lowercased()) else { return nil }
        return origin
    }

    /// Refuses the opening of a WebSocket by a page of another server, which browsers let through (RFC 6455, 10.2).
    package func checkWebSocket(_ head: RequestHead) throws(DeviceAPIError) {
        guard let from = head.field("Origin")?.lowercased(), origin(of: head) == nil else { return }
        let host = head.field("Host")?.lowercased() ?? ""
        guard from != "https://\(host)", from != "http://\(host)" else { return }
        throw DeviceAPIError(.originNotAllowed, "\(from.prefix(100))", field: "Origin")
    }

    /// `http://` or `https://` with a host, and a port if it is not the usual one; nothing behind it.
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let rest = text.dropFirst(scheme.count), colon = rest.lastIndex(of: ":")
        let isHost = { (host: Substring) in
            !host.isEmpty && host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789.-[]:".utf8.contains($0) }
        }
        guard let colon, !rest.hasSuffix("]") else { return isHost(rest) }
        return isHost(rest[..<colon]) && UInt16(rest[rest.index(after: colon)...]) ?? 0 > 0
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// Answers to pages of other servers.
extension Answer {
    /// The answer to a browser that asks whether a page may call (a preflight request).
    ///
    /// - Parameter methods: of the path.
    package init(preflightFor methods: [String]) {
        self.init(
            emptyWith: "access-control-allow-methods: \(methods.joined(separator: ", "))\r\n"
                + "access-control-allow-headers: \(Self.requestFields)\r\naccess-control-max-age: 600\r\n")
    }

    /// Says to whom the answer may be shown: to a page of that origin; nil: to none of another server.
    package mutating func share(with origin: String?) {
        var fields = "vary: origin\r\n"
        if let origin {
            fields +=
                "access-control-allow-origin: \(origin)\r\naccess-control-expose-headers: \(Self.answerFields)\r\n"
        }
        add(fields: fields)
    }

    private static let requestFields =
        "authorization, content-type, content-encoding, content-digest, idempotency-key, if-none-match, "
        + "nkul-passkey, signature, signature-input, x-nkul-sent-at"
    private static let answerFields = "etag, location, retry-after, x-nkul-next-upload"
}
