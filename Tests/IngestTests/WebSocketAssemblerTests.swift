import Models
import NIOCore
import NIOWebSocket
import QoE
import Testing

@testable import IngestAPI
@testable import IngestSupport

/// Frames to messages: what RFC 6455 demands of a client, and what is demanded besides.
@Suite struct WebSocketAssemblerTests {
    private static let limits: RealtimeLimits = {
        var limits = RealtimeLimits()
        limits.messageBytes = 100
        limits.fragments = 3
        limits.controlFrames = 2
        return limits
    }()

    private static func frame(
        _ opcode: WebSocketOpcode, _ bytes: [UInt8] = [], fin: Bool = true, rsv1: Bool = false,
        key: WebSocketMaskingKey? = [1, 2, 3, 4]
    ) -> WebSocketFrame {
        var data = ByteBuffer(bytes: bytes)
        if let key { data.webSocketMask(key) }
        return WebSocketFrame(fin: fin, rsv1: rsv1, opcode: opcode, maskKey: key, data: data)
    }

    private static func text(_ text: String, _ opcode: WebSocketOpcode = .text, fin: Bool = true) -> WebSocketFrame {
        frame(opcode, Array(text.utf8), fin: fin)
    }

    /// What the last of the frames brings.
    private func last(_ frames: [WebSocketFrame]) throws(WebSocketFault) -> WebSocketAssembler.Event? {
        var assembler = WebSocketAssembler(Self.limits)
        var event: WebSocketAssembler.Event?
        for frame in frames { event = try assembler.take(frame, at: .uptimeNanoseconds(0)) }
        return event
    }

    @Test func `a message is whole with its last fragment`() throws {
        #expect(try last([Self.text("{}")]) == .message(ByteBuffer(string: "{}")))
        let parts = [
            Self.text("a", fin: false), Self.text("b", .continuation, fin: false), Self.text("c", .continuation),
        ]
        #expect(try last(Array(parts[..<2])) == .part)
        #expect(try last(parts) == .message(ByteBuffer(string: "abc")))
        #expect(try last(parts + [Self.text("d")]) == .message(ByteBuffer(string: "d")))
    }

    @Test func `a letter may be cut by fragments`() throws {
        let bytes = Array("é".utf8)
        let parts = [Self.frame(.text, [bytes[0]], fin: false), Self.frame(.continuation, [bytes[1]])]
        #expect(try last(parts) == .message(ByteBuffer(string: "é")))
    }

    @Test func `control frames may stand between fragments`() throws {
        let parts = [Self.text("a", fin: false), Self.text("p", .ping), Self.text("b", .continuation)]
        #expect(try last(Array(parts[..<2])) == .ping(ByteBuffer(string: "p")))
        #expect(try last(parts) == .message(ByteBuffer(string: "ab")))
    }

    @Test func `the reason of a close is given back`() throws {
        #expect(try last([Self.frame(.connectionClose)]) == .close(WebSocketFault(nil)))
        #expect(try last([Self.frame(.connectionClose, [0x0F, 0xA0])]) == .close(WebSocketFault(4_000)))
    }

    static let faults: [([WebSocketFrame], UInt16)] = [
        ([frame(.text, [65], key: nil)], 1_002), ([frame(.text, [65], rsv1: true)], 1_002),
        ([frame(WebSocketOpcode(encodedWebSocketOpcode: 3)!)], 1_002),
        ([frame(WebSocketOpcode(encodedWebSocketOpcode: 11)!)], 1_002), ([frame(.binary)], 1_003),
        ([text("a", .continuation)], 1_002), ([text("a", fin: false), text("b")], 1_002),
        ([frame(.ping, fin: false)], 1_002), ([frame(.ping, .init(repeating: 0, count: 126))], 1_002),
        ([frame(.text, [0xC3])], 1_007), ([frame(.text, [0xED, 0xA0, 0x80])], 1_007),
        ([frame(.text, [0xC3], fin: false), frame(.continuation, [0x41])], 1_007),
        ([text(String(repeating: "a", count: 101))], 1_009),
        (
            [
                text(String(repeating: "a", count: 60), fin: false),
                text(String(repeating: "a", count: 41), .continuation),
            ], 1_009
        ),
        ([text("", fin: false)] + .init(repeating: text("", .continuation, fin: false), count: 3), 1_008),
        (.init(repeating: frame(.pong), count: 3), 1_008),
        ([frame(.connectionClose, [3])], 1_002), ([frame(.connectionClose, [0x03, 0xED])], 1_002),
        ([frame(.connectionClose, [0x03, 0xE7])], 1_002), ([frame(.connectionClose, [0x13, 0x88])], 1_002),
        ([frame(.connectionClose, [0x03, 0xE8, 0xFF])], 1_007),
    ]

    @Test(arguments: faults.indices)
    func `what is not allowed closes with its code`(index: Int) {
        let (frames, code) = Self.faults[index]
        #expect {
            try last(frames)
        } throws: { ($0 as? WebSocketFault)?.code == code }
        #expect(throws: Never.self) { try last(Array(frames.dropLast())) }
    }

    @Test func `every second has its control frames`() throws {
        var assembler = WebSocketAssembler(Self.limits)
        for second in 1...5 {
            for _ in 1...2 {
                #expect(
                    try assembler.take(Self.frame(.pong), at: .uptimeNanoseconds(0) + .seconds(Int64(second))) == .pong)
            }
        }
    }

    @Test func `answers keep the order of their messages`() {
        var answers = AnswerQueue(window: 3)
        #expect((0..<3).map { _ in answers.begin() } == [0, 1, 2] && answers.isFull)
        answers.fill(2, [2])
        #expect(answers.next() == nil)
        answers.fill(0, [0])
        #expect(answers.next() == [0] && answers.next() == nil && answers.begin() == 3)
        answers.fill(1, [1])
        #expect(answers.next() == [1] && answers.next() == [2] && answers.next() == nil && !answers.isEmpty)
    }

    @Test(arguments: [
        (#"{"seq":1}"#, "report"), (#" { "seq" : 1 , "rating" : 2 }"#, "feedback"), (#"{"emoji":"🙂"}"#, "feedback"),
        (#"{"kind":"feedback"}"#, "feedback"), (#"{"rating":1,"kind":"report"}"#, "report"),
        (#"{"a":{"rating":1},"b":[{"emoji":1}],"c":"\",\"rating\":1"}"#, "report"),
        (#"{"a":"}\\","rating":1}"#, "feedback"), (#"{"a":[1,{"b":"]"}],"kind":"feedback"}"#, "feedback"),
        (#"{"#, "report"), (#"{"a"#, "report"), (#"{"a\"#, "report"), (#"{"a":"\"#, "report"),
        (#"{1:2,"rating":1}"#, "report"),
    ])
    func `the kind of a message is told by its members`(text: String, kind: String) throws {
        var bytes = Array(text.utf8)
        let found = try bytes.withUnsafeMutableBytes {
            try RealtimeKinds(.qoe).envelope(of: UnsafeRawBufferPointer($0)).kind
        }
        #expect(found == (kind == "feedback" ? .feedback : .report))
    }
}
