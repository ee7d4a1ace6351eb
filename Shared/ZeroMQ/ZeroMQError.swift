internal import CZeroMQ
internal import Glibc

/// What libzmq refused, where, and with which `errno`.
public struct ZeroMQError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was being done.
    public enum Operation: String, Sendable {
        case context = "create context"
        case open, option = "set option", bind, connect, subscribe, send, receive, poll, keys = "read keys", call
    }

    public let operation: Operation
    /// The endpoint concerned, as it was given.
    public let endpoint: String?
    /// The raw `errno`, a POSIX code or one of libzmq's own such as `ETERM`.
    public let code: Int32
    /// What a person should know beyond the code's own text.
    public let detail: String?

    public init(_ operation: Operation, endpoint: String? = nil, code: Int32, detail: String? = nil) {
        self.operation = operation
        self.endpoint = endpoint
        self.code = code
        self.detail = detail
    }

    /// The error that libzmq left in this thread's `errno`.
    static func last(_ operation: Operation, endpoint: String? = nil, detail: String? = nil) -> ZeroMQError {
        ZeroMQError(operation, endpoint: endpoint, code: zmq_errno(), detail: detail)
    }

    public var description: String {
        var text = "zeromq: cannot \(operation.rawValue)"
        if let endpoint { text += " \(endpoint)" }
        text += ": " + (detail ?? reason)
        return text + " (errno \(code))"
    }

    private var reason: String {
        switch code {
        case EADDRINUSE: "the address is in use by another program"
        case EACCES: "permission denied"
        case EHOSTUNREACH: "no such peer is connected"
        default: String(cString: zmq_strerror(code))
        }
    }

    /// A ROUTER was asked for a peer that is not connected.
    package var isUnreachable: Bool { code == EHOSTUNREACH }

    /// Another program holds the address.
    package var isAddressInUse: Bool { code == EADDRINUSE }

    /// The socket thread or the context has been stopped.
    public var isStopped: Bool { code == ZeroMQError.stopped }

    static let stopped: Int32 = 156_384_765  // ETERM, a macro too complex for the importer
}
