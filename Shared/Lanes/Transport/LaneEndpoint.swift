public import ZeroMQ

/// Where a lane is offered or found, and by which keys.
public struct LaneEndpoint: Sendable {
    /// `ipc://…`, or `tcp://…` with CURVE.
    public var address: String
    public var security: SocketSecurity
    /// Public keys (Z85) that its writer lets in, under ``LaneKeys/domain``.
    public var admitted: [String]

    public init(address: String, security: SocketSecurity = .local, admitted: [String] = []) {
        self.address = address
        self.security = security
        self.admitted = admitted
    }
}
