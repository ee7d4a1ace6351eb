/// The document of a record of kind `access_request`: a subscriber, or an operator for one, wants a copy of everything.
public struct AccessRequestDocument: Codable, Sendable, Equatable {
    /// Who may ask.
    public enum Source: String, Codable, Sendable {
        case device, operatorAdmin = "operator"
    }

    public var order: AccessOrderDocument
    public var source: Source

    public init(order: AccessOrderDocument, source: Source) {
        self.order = order
        self.source = source
    }
}
