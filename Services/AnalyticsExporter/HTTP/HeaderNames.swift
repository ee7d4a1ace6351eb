internal import HTTPTypes

extension HTTPField.Name {
    /// Where a stream of events is to continue (WHATWG HTML, 9.2).
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
