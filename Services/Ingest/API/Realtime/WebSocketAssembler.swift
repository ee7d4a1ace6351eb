package import IngestSupport
package import NIOCore
package import NIOWebSocket

/// Puts messages together from frames and judges both by RFC 6455. Pure: frames and times in, events or a fault out.
package struct WebSocketAssembler {
    /// What a frame has brought.
    package enum Event: Equatable {
        /// A part of a message; more are to come.
        case part
        /// A whole text message, valid UTF-8.
        case message(ByteBuffer)
        /// To be answered by a pong with the same bytes.
        case ping(ByteBuffer)
        case pong
        /// The other side closes; what it gave as its reason goes back.
        case close(WebSocketFault)
    }

    private let limits: RealtimeLimits
    private var parts = ByteBuffer()
    /// Frames of the message that is coming; 0 between messages.
    private var frames = 0
    private var controls = 0
    private var controlsSince = NIODeadline.uptimeNanoseconds(0)

    package init(_ limits: RealtimeLimits) { self.limits = limits }

    /// Bytes of the message that is coming.
    package var heldBytes: Int { parts.readableBytes }

    /// Takes the next frame.
    ///
    /// - Throws: why the connection is to be closed.
    package mutating func take(_ frame: WebSocketFrame, at now: NIODeadline) throws(WebSocketFault) -> Event {
        guard frame.reservedBits.isEmpty else { throw .broken("no extension was agreed upon") }
        guard frame.maskKey != nil else { throw .broken("frames of a client are masked") }
        switch frame.opcode {
        case .text, .continuation: return try take(part: frame)
        case .binary: throw .binary
        case .ping, .pong, .connectionClose: return try take(control: frame, at: now)
        default: throw .broken("unknown opcode")
        }
    }

    // MARK: - Messages

    private mutating func take(part frame: WebSocketFrame) throws(WebSocketFault) -> Event {
        guard (frame.opcode == .continuation) == (frames > 0) else {
            throw .broken(frames > 0 ? "a message begins within another" : "a message begins with its continuation")
        }
        guard parts.readableBytes + frame.length <= limits.messageBytes else { throw .tooBig }
        frames += 1
        guard frames <= limits.fragments else { throw .tooManyFragments }
        if frame.fin, frames == 1 { return try finish(frame.unmaskedData) }
        parts.writeImmutableBuffer(frame.unmaskedData)
        return frame.fin ? try finish(parts) : .part
    }

    private mutating func finish(_ message: ByteBuffer) throws(WebSocketFault) -> Event {
        frames = 0
        parts = ByteBuffer()
        guard Self.isText(message) else { throw .badText }
        return .message(message)
    }

    /// Most messages are ASCII, for which no text has to be made.
    private static func isText(_ bytes: ByteBuffer) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
        }
    }

    // MARK: - Control frames

    private mutating func take(control frame: WebSocketFrame, at now: NIODeadline) throws(WebSocketFault) -> Event {
        guard frame.fin, frame.length <= 125 else { throw .broken("a control frame is short and whole") }
        if now - controlsSince >= .seconds(1) {
            controlsSince = now
            controls = 0
        }
        controls += 1
        guard controls <= limits.controlFrames else { throw .tooManyControls }
        switch frame.opcode {
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .pong
        default: return .close(try Self.closing(frame.unmaskedData))
        }
    }

    private static func closing(_ payload: ByteBuffer) throws(WebSocketFault) -> WebSocketFault {
        var payload = payload
        guard payload.readableBytes > 0 else { return WebSocketFault(nil) }
        guard let code = payload.readInteger(as: UInt16.self), isAllowed(code) else {
            throw .broken("there is no such status code")
        }
        guard isText(payload) else { throw .badText }
        return WebSocketFault(code)
    }

    /// Codes that may stand in a close frame (RFC 6455, 7.4, and the registry it founded).
    private static func isAllowed(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
