/// Conditional requests (RFC 9110, 13).
extension RequestHead {
    /// True if the client has what an entity tag names, so that 304 is the answer.
    ///
    /// - Parameter tag: with its quotes; compared weakly, as `If-None-Match` asks for.
    func has(_ tag: String) -> Bool {
        guard let known = field("If-None-Match") else { return false }
        return known.split(separator: ",").contains { part in
            let part = part.drop { $0 == " " || $0 == "\t" }
            let strong = (part.hasPrefix("W/") ? part.dropFirst(2) : part).prefix { $0 != " " && $0 != "\t" }
            return strong == tag || strong == "*"
        }
    }
}
