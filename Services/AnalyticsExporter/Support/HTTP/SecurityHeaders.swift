internal import Crypto
package import HTTPTypes
internal import Hummingbird
internal import Models

/// Headers that every answer has.
package struct SecurityHeaders: Sendable {
    private let policy: String

    /// - Parameter baseMapOrigin: the one other origin that pictures may come from, if a base map is configured.
    package init(baseMapOrigin: String?) {
        let images = ["'self'", "data:", baseMapOrigin].compactMap { $0 }.joined(separator: " ")
        policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src \(images); "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    package func add(to headers: inout HTTPFields) {
        headers[.contentSecurityPolicy] = policy
        headers[.xContentTypeOptions] = "nosniff"
        headers[.referrerPolicy] = "no-referrer"
        headers[.crossOriginResourcePolicy] = "same-origin"
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}

extension HTTPField.Name {
    /// Up to which moment an answer is complete, where its body has no place for that.
    package static let completeTo = HTTPField.Name("Nkul-Complete-To")!
    /// Where a stream of events is to continue (WHATWG HTML, 9.2).
    package static let lastEventID = HTTPField.Name("Last-Event-ID")!
    /// Whether nginx and its like may gather an answer before they pass it on.
    package static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
    /// SHA-256 of the whole file (RFC 9530).
    package static let reprDigest = HTTPField.Name("Repr-Digest")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}

/// The entity tag of an answer (RFC 9110, 8.8.3): `"abc"`, or `W/"abc"` if only the meaning is the same.
package struct EntityTag {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Weak, as the answer may be compressed and say other moments: the same while these bytes of it are.
    package init(weaklyOf bytes: [UInt8]) {
        text = "W/\"\(Hexadecimal.text(Array(SHA256.hash(data: bytes).prefix(12))))\""
    }

    /// Whether `If-None-Match` names it; compared weakly (RFC 9110, 8.8.3.2).
    package func isKnown(to headers: HTTPFields) -> Bool {
        guard let known = headers[.ifNoneMatch] else { return false }
        let tags = known.split(separator: ",").map { $0.filter { $0 != " " } }
        return tags.contains { $0 == "*" || Self.opaque($0) == Self.opaque(text) }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
