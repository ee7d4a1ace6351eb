internal import Models
internal import Wire

/// One frame, and a second with the payload of a block; numbers little-endian:
///
///     129 OPENED     session u64 · generation u64 · head u64 · oldest u64
///     130 BLOCK      session u64 · block header …              │ payload
///     131 SKIPPED    session u64 · after u64 · through u64
///     132 HEAD       session u64 · head u64 · through u64 · waiting bytes u64
///     133 REFUSED    session u64 · code u8 · text
///     134 UNKNOWN    session u64
///     135 HEARTBEAT  session u64 · generation u64 · head u64 · writer's clock i64, Unix ms; only to who asked for it
///                    [· complete to i64, Unix ms]
extension LaneReply {
    /// The message as frames; the payload's array is shared, not copied.
    package func frames() -> [[UInt8]] {
        switch self {
        case .opened(let session, let generation, let head, let oldest):
            return [Self.message(129, session, generation, head, oldest)]
        case .block(let session, let block):
            return [Self.message(130, session) + block.header.encoded(), block.payload]
        case .skipped(let session, let after, let through): return [Self.message(131, session, after, through)]
        case .head(let session, let head, let through, let waiting):
            return [Self.message(132, session, head, through, waiting)]
        case .refused(let session, let code, let text):
            var writer = MessageWriter(type: 133)
            writer.add(session)
            writer.add(code.rawValue)
            writer.add(text)
            return [writer.bytes]
        case .unknown(let session): return [Self.message(134, session)]
        case .heartbeat(let session, let generation, let head, let time, let completeTo):
            let message = Self.message(135, session, generation, head, UInt64(bitPattern: time))
            guard let completeTo else { return [message] }
            var writer = MessageWriter(bytes: message)
            writer.add(UInt64(bitPattern: completeTo))
            return [writer.bytes]
        }
    }

    /// Reads a message; throws ``LaneError/malformedMessage(what:)``.
    package init(frames: [[UInt8]]) throws(LaneError) {
        guard let first = frames.first, let type = first.first, frames.count == (type == 130 ? 2 : 1) else {
            throw .malformedMessage(what: "reply frames")
        }
        var reader = MessageReader(first)
        let session = try reader.number(UInt64.self)
        switch type {
        case 129:
            self = .opened(
                session: session, generation: try reader.number(), head: try reader.number(),
                oldest: try reader.number())
        case 130:
            self = .block(session: session, try Self.block(reader.rest, frames[1]))
            return
        case 131: self = .skipped(session: session, after: try reader.number(), through: try reader.number())
        case 132:
            self = .head(
                session: session, head: try reader.number(), through: try reader.number(),
                waitingBytes: try reader.number())
        case 133:
            guard let code = LaneRefusal(rawValue: try reader.number()) else {
                throw .malformedMessage(what: "refusal")
            }
            self = .refused(session: session, code: code, text: try reader.text())
        case 134: self = .unknown(session: session)
        case 135:
            self = .heartbeat(
                session: session, generation: try reader.number(), head: try reader.number(),
                time: try reader.number(), completeTo: reader.isAtEnd ? nil : try reader.number())
        default: throw .malformedMessage(what: "reply type \(type)")
        }
        try reader.end()
    }

    private static func message(_ type: UInt8, _ numbers: UInt64...) -> [UInt8] {
        var writer = MessageWriter(type: type)
        for number in numbers { writer.add(number) }
        return writer.bytes
    }

    private static func block(_ header: [UInt8], _ payload: [UInt8]) throws(LaneError) -> Block {
        do {
            return Block(header: try BlockHeader(decoding: header), payload: payload)
        } catch {
            throw .malformedMessage(what: error.description)
        }
    }
}
