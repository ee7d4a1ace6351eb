internal import CZeroMQ

/// What happened to a connection of a socket.
public enum ConnectionEvent: Sendable, Equatable {
    case connected, accepted, disconnected
    /// The peer may talk now.
    case handshakeSucceeded
    /// The peer's key was refused, or it does not speak the same mechanism; the code is libzmq's detail or an `errno`.
    case handshakeFailed(code: Int32)

    static let codes =
        ZMQ_EVENT_CONNECTED | ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
        | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL

    /// First frame of a monitor message: event (16 bits), value (32 bits), both in the machine's order.
    init?(_ frame: Frame) {
        guard frame.count == 6 else { return nil }
        let code = frame.withUnsafeBytes { Int32($0.loadUnaligned(as: UInt16.self)) }
        let value = frame.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: Int32.self) }
        switch code {
        case ZMQ_EVENT_CONNECTED: self = .connected
        case ZMQ_EVENT_ACCEPTED: self = .accepted
        case ZMQ_EVENT_DISCONNECTED: self = .disconnected
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: self = .handshakeSucceeded
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL:
            self = .handshakeFailed(code: value)
        default: return nil
        }
    }
}
