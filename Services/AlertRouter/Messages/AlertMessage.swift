/// One message of a tenant's endpoint, as it is stored and as it is sent.
public struct AlertMessage: Sendable, Equatable {
    /// Number of the tenant.
    public let tenant: Int64
    /// Rises by one per endpoint.
    public let seq: Int64
    /// `alerts/<plmn>/<severity>/<quadkey>`, `alerts/<scheme>/<number>/<severity>/<subject>`
    public let topic: String
    /// CloudEvents 1.0 attributes, JSON.
    public let header: [UInt8]
    /// zlib stream of the alarm's document.
    public let body: [UInt8]

    public init(tenant: Int64 = 0, seq: Int64, topic: String, header: [UInt8], body: [UInt8]) {
        self.tenant = tenant
        self.seq = seq
        self.topic = topic
        self.header = header
        self.body = body
    }

    public var frames: [[UInt8]] { [Array(topic.utf8), header, body] }
}
