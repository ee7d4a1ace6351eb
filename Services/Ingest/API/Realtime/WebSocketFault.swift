/// Why a WebSocket is closed: a status code and a word for people (RFC 6455, 7.4).
package struct WebSocketFault: Error, Equatable {
    /// As it stands in the close frame; nil for a close frame without one.
    package let code: UInt16?
    /// At most 123 bytes.
    package let reason: String

    init(_ code: UInt16?, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    package static let stopping = WebSocketFault(1001, "the service is stopping")
    package static let idle = WebSocketFault(1001, "nothing was heard for too long")
    package static let gone = WebSocketFault(1001, "the sender has finished")
    static let badText = WebSocketFault(1007, "a message is UTF-8")
    static let binary = WebSocketFault(1003, "messages are text")
    package static let tooBig = WebSocketFault(1009, "the message is too big")
    static let tooManyFragments = WebSocketFault(1008, "the message is in too many fragments")
    static let tooManyControls = WebSocketFault(1008, "too many control frames")
    package static let tooSlow = WebSocketFault(1008, "the message did not come in time")
    package static let revoked = WebSocketFault(1008, "the token is nobody's")
    package static let lookUpFailed = WebSocketFault(1011, "the device could not be looked up")
    package static let busy = WebSocketFault(1013, "the service is busy; try again later")

    package static func broken(_ reason: String) -> WebSocketFault { WebSocketFault(1002, reason) }
}
