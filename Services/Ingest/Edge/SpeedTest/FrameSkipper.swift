internal import NIOCore

/// Reads frames of a WebSocket whose payloads are counted and thrown away as they come (RFC 6455, 5.2): a frame of 16 MB takes no more
/// memory than one of 16 bytes. Payloads of control frames, of at most 125 bytes, are kept.
///
///      0                   1                   2                   3
///     |F|   |op |M| len 7 | len 16 or 64, if len 7 is 126 or 127 | mask, 4 bytes | payload …
///
/// A value; no channel inside.
struct FrameSkipper {
    /// What came.
    enum Event: Equatable {
        /// So many bytes of a message's payload.
        case bytes(Int, isText: Bool)
        /// A message has come to its end.
        case message(isText: Bool)
        case ping([UInt8])
        case pong
        case close([UInt8])
    }

    /// Why the connection cannot go on; the raw value is the status code of the close frame.
    enum Fault: UInt16, Error { case broken = 1002, tooBig = 1009 }

    private struct Frame {
        let opcode: UInt8
        let isLast: Bool
        let mask: [UInt8]
        var left: Int
        var control: [UInt8] = []
        var isControl: Bool { opcode >= 8 }
    }

    /// Most bytes of one message.
    private let messageBytes: Int
    private var head = ByteBuffer()
    private var frame: Frame?
    /// Whether a message has begun, and is text.
    private var message: (isText: Bool, bytes: Int)?

    init(messageBytes: Int) { self.messageBytes = messageBytes }

    /// Takes the next bytes and tells what came.
    mutating func take(_ bytes: ByteBuffer, _ tell: (Event) -> Void) throws(Fault) {
        var bytes = bytes
        while bytes.readableBytes > 0 || frame?.left == 0 {
            if frame == nil, try !readHead(&bytes) { return }
            try pass(&bytes, tell)
        }
    }

    /// False while the head of a frame has not come whole.
    private mutating func readHead(_ bytes: inout ByteBuffer) throws(Fault) -> Bool {
        while head.readableBytes < headBytes {
            guard var more = bytes.readSlice(length: min(headBytes - head.readableBytes, bytes.readableBytes)),
                more.readableBytes > 0
            else { return false }
            head.writeBuffer(&more)
        }
        frame = try parse(Array(buffer: head))
        head.clear()
        return true
    }

    /// As far as is known by now.
    private var headBytes: Int {
        guard head.readableBytes >= 2, let second = head.getInteger(at: head.readerIndex + 1, as: UInt8.self) else {
            return 2
        }
        let length =
            switch second & 127 {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + length + (second & 128 == 0 ? 0 : 4)
    }

    private mutating func parse(_ head: [UInt8]) throws(Fault) -> Frame {
        let opcode = head[0] & 15, isLast = head[0] & 128 != 0
        guard head[0] & 0x70 == 0, head[1] & 128 != 0 else { throw .broken }
        let long = head[2..<(head.count - 4)]
        let length = long.isEmpty ? UInt64(head[1] & 127) : long.reduce(0) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(messageBytes) else { throw .tooBig }
        switch opcode {
        case 0: guard message != nil else { throw .broken }
        case 1, 2:
            guard message == nil else { throw .broken }
            message = (opcode == 1, 0)
        case 8, 9, 10: guard isLast, length <= 125 else { throw .broken }
        default: throw .broken
        }
        if opcode < 8 {
            message!.bytes += Int(length)
            guard message!.bytes <= messageBytes else { throw .tooBig }
        }
        return Frame(opcode: opcode, isLast: isLast, mask: Array(head.suffix(4)), left: Int(length))
    }

    private mutating func pass(_ bytes: inout ByteBuffer, _ tell: (Event) -> Void) throws(Fault) {
        let count = min(frame!.left, bytes.readableBytes)
        if frame!.isControl {
            frame!.control += bytes.readBytes(length: count) ?? []
        } else {
            bytes.moveReaderIndex(forwardBy: count)
            if count > 0 { tell(.bytes(count, isText: message!.isText)) }
        }
        frame!.left -= count
        guard frame!.left == 0, let whole = frame else { return }
        frame = nil
        guard whole.isControl else {
            guard whole.isLast, let message else { return }
            self.message = nil
            return tell(.message(isText: message.isText))
        }
        let payload = whole.control.enumerated().map { $1 ^ whole.mask[$0 & 3] }
        switch whole.opcode {
        case 8: tell(.close(payload))
        case 9: tell(.ping(payload))
        default: tell(.pong)
        }
    }
}
