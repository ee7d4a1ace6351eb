internal import Models

/// One frame; numbers little-endian, texts and lists with a length of 16 bits before them:
///
///     1 OPEN    version u8 = 1 · lane u8 · required u8 · session u64 · generation u64 · after u64 · credit blocks u64 ·
///               credit bytes u64 · committed u64 · kinds list · reader text
///     2 CREDIT  session u64 · blocks u64 · bytes u64 · committed u64
///
/// A 0 among the kinds asks for heartbeats. No record has that kind, so a writer of before heartbeats passes over it and sends
/// none; a reader of before heartbeats does not ask and is sent none.
extension LaneRequest {
    static let version: UInt8 = 1
    /// In the list of kinds: heartbeats are wanted.
    static let heartbeats: UInt8 = 0

    /// The message as frames.
    package func frames() -> [[UInt8]] {
        switch self {
        case .open(let opening):
            var writer = MessageWriter(type: 1)
            writer.add(Self.version)
            writer.add(opening.lane.id)
            writer.add(UInt8(opening.reader.isRequired ? 1 : 0))
            for number in [
                opening.session, opening.generation, opening.after, opening.total.blocks, opening.total.bytes,
                opening.committed,
            ] { writer.add(number) }
            writer.add((opening.wantsHeartbeats ? [Self.heartbeats] : []) + opening.kinds)
            writer.add(opening.reader.name)
            return [writer.bytes]
        case .credit(let session, let total, let committed):
            var writer = MessageWriter(type: 2)
            for number in [session, total.blocks, total.bytes, committed] { writer.add(number) }
            return [writer.bytes]
        }
    }

    /// Reads a message; throws ``LaneError/malformedMessage(what:)``.
    package init(frames: [[UInt8]]) throws(LaneError) {
        guard frames.count == 1, let type = frames[0].first else { throw .malformedMessage(what: "request frames") }
        var reader = MessageReader(frames[0])
        switch type {
        case 1: self = .open(try LaneOpening(&reader))
        case 2:
            let session = try reader.number(UInt64.self)
            let total = Credit(blocks: try reader.number(), bytes: try reader.number())
            self = .credit(session: session, total: total, committed: try reader.number())
        default: throw .malformedMessage(what: "request type \(type)")
        }
        try reader.end()
    }
}

extension LaneOpening {
    fileprivate init(_ reader: inout MessageReader) throws(LaneError) {
        let version = try reader.number(UInt8.self)
        guard version == LaneRequest.version else { throw .malformedMessage(what: "protocol version \(version)") }
        let number = Int(try reader.number(UInt8.self))
        guard LaneName.allCases.indices.contains(number) else { throw .malformedMessage(what: "lane \(number)") }
        let isRequired = try reader.number(UInt8.self) == 1
        lane = LaneName.allCases[number]
        session = try reader.number()
        generation = try reader.number()
        after = try reader.number()
        total = Credit(blocks: try reader.number(), bytes: try reader.number())
        committed = try reader.number()
        let asked = try reader.list()
        kinds = asked.filter { $0 != LaneRequest.heartbeats }
        wantsHeartbeats = kinds.count < asked.count
        self.reader = ReaderRegistration(name: try reader.text(), isRequired: isRequired)
    }
}
