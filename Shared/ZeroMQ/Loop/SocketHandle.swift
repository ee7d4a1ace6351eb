/// Names a socket of one `SocketLoop`; may be kept anywhere, is of use on the socket thread only.
public struct SocketHandle: Sendable, Hashable {
    let number: Int
    /// The address as bound, with the port the system chose for `tcp://…:*`, or as connected to.
    public let endpoint: String
}
