package import HTTPTypes

/// The entity tag of an answer (RFC 9110, 8.8.3): `"abc"`, or `W/"abc"` if only the meaning is the same.
package struct EntityTag {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Whether `If-None-Match` names it; compared weakly (RFC 9110, 8.8.3.2).
    package func isKnown(to headers: HTTPFields) -> Bool {
        guard let known = headers[.ifNoneMatch] else { return false }
        let tags = known.split(separator: ",").map { $0.filter { $0 != " " } }
        return tags.contains { $0 == "*" || Self.opaque($0) == Self.opaque(text) }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
