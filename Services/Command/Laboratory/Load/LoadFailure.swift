/// Why a request has no answer. Whether the service did what was asked is then unknown.
public enum LoadFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// No connection could be made.
    case unreachable(String)
    /// The connection ended before the answer was complete.
    case connectionLost(String)
    /// No answer within the time limit; the connection was closed.
    case timedOut
    /// What came was not an answer of HTTP/1.1 that says where it ends, or a very long one.
    case unreadable(String)
    /// It is not safe to speak to the service, and will not be: why, and what to do about it.
    case insecure(String)
    /// The pool was shut down.
    case closed

    /// What an error of a connection means.
    static func lost(_ error: any Error) -> LoadFailure {
        error as? LoadFailure ?? .connectionLost("\(error)")
    }

    public var description: String {
        switch self {
        case .unreachable(let cause): "no connection: \(cause)"
        case .connectionLost(let cause): "connection lost: \(cause)"
        case .timedOut: "no answer in time"
        case .unreadable(let cause): "unreadable answer: \(cause)"
        case .insecure(let cause): cause
        case .closed: "closed"
        }
    }
}
