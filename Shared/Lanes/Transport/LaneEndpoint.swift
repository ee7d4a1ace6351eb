public import ZeroMQ

/// Where a lane is offered, and by which keys.
public struct LaneEndpoint: Sendable {
    /// `ipc://…`, or `tcp://…` with CURVE.
    public var address: String
    public var security: SocketSecurity

    public init(address: String, security: SocketSecurity = .local) {
        self.address = address
        self.security = security
    }
}
