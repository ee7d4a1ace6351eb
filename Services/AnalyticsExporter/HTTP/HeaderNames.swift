internal import HTTPTypes

extension HTTPField.Name {
    /// Where a stream of events is to continue (WHATWG HTML, 9.2).
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    /// SHA-256 of the whole file (RFC 9530).
    static let reprDigest = HTTPField.Name("Repr-Digest")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
