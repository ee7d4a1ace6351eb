/// What a socket is set to before it is bound or connected.
///
/// The defaults are the safe ones that libzmq lacks: a finite linger, a bounded reconnect back-off, heartbeats, a limit on
/// the size of a frame, and no clear text over TCP.
public struct SocketOptions: Sendable {
    /// Who may talk over the socket.
    public var security: SocketSecurity
    /// How long a closed socket goes on sending what waits.
    public var linger: Duration = .milliseconds(500)
    /// The first wait before reconnecting, doubled up to `reconnectMaximum`.
    package var reconnect: Duration = .milliseconds(50)
    package var reconnectMaximum: Duration = .seconds(2)
    /// How often a quiet connection is tested; `.zero` = never.
    public var heartbeat: Duration = .seconds(2)
    /// When a connection without an answer counts as broken.
    public var heartbeatTimeout: Duration = .seconds(8)
    /// The longest time from accept to the end of the handshake.
    package var handshake: Duration = .seconds(5)
    /// The largest frame accepted from a peer in bytes; a peer that sends more is disconnected.
    public var maximumFrameBytes: Int64 = 16 << 20
    /// Messages that may wait for a peer; 0 = no limit, for protocols with credit of their own.
    public var sendHighWater: Int32 = 1_000
    public var receiveHighWater: Int32 = 1_000
    /// Queue only for completed connections, so that a message never waits for a peer that may not come.
    public var immediate = true
    /// ROUTER: an unknown peer is an error instead of silence.
    public var routerMandatory = true
    /// ROUTER: a peer that returns under a name in use takes it over.
    package var routerHandover = false
    /// The name a ROUTER knows this socket by; nil = the ROUTER invents one.
    package var routingID: [UInt8]?
    /// SUB: topic prefixes from the start.
    public var subscriptions: [[UInt8]] = []
    /// XPUB: hand up every subscription, not the first of a topic only. (Manual mode is unsafe in libzmq 4.3 and left out.)
    package var verbose = false

    public init(security: SocketSecurity = .local) {
        self.security = security
    }
}
