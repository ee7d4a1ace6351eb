/// The `Accept-Encoding` of a request (RFC 9110, 12.5.3).
package enum AcceptEncoding {
    /// Whether a client takes gzip: it, or everything, is named and not with weight 0.
    package static func allowsGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        var any: Bool?
        for part in header.lowercased().split(separator: ",") {
            let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if pieces.first == "gzip" || pieces.first == "x-gzip" { return weight > 0 }
            if pieces.first == "*" { any = weight > 0 }
        }
        return any ?? false
    }
}
