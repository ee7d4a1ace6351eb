import Foundation
import IngestSupport
import Testing

@testable import IngestEdge

/// The latency echo, alone and over HTTP.
@Suite(.timeLimit(.minutes(2))) struct EchoTests {
    private static let fields = "Sec-WebSocket-Protocol: nkul.echo.v1\r\n"

    @Test func `each message goes back, fifty a second, for a minute`() {
        var core = EchoCore()
        let second: Int64 = 1_000_000_000
        for number in 0..<EchoCore.burst { #expect(core.take(bytes: 125, at: Int64(number)) == .echo) }
        #expect(core.take(bytes: 1, at: 60) == .close(1008))
        #expect(core.take(bytes: 1, at: second / 50 + 200) == .echo && core.echoed == EchoCore.burst + 1)
        #expect(core.take(bytes: 126, at: 2 * second) == .close(1009))
        #expect(!core.isOver(at: 59 * second) && core.isOver(at: 60 * second))
        #expect(core.take(bytes: 1, at: 60 * second) == .close(1000))
        var calm = EchoCore()
        for tick in 0..<2_900 { #expect(calm.take(bytes: 9, at: Int64(tick) * second / 50) == .echo) }
    }

    @Test func `what is sent comes back as it was, text, bytes and pings`() async throws {
        let bench = try await APIBench()
        try await RawWebSocket.with(bench, "", path: "/v1/echo", fields: Self.fields) { socket in
            for (opcode, answer) in [(UInt8(1), UInt8(1)), (2, 2), (9, 10)] {
                let payload = (0..<125).map { UInt8($0 & 0x7F) }
                try await socket.client.send(RawWebSocket.frame(opcode, payload))
                #expect(try await socket.next() == RawWebSocket.Frame(opcode: answer, payload: payload))
            }
            try await socket.client.send(RawWebSocket.frame(8, [3, 232]))
            #expect(try await socket.next()?.code == 1000)
        }
    }

    @Test(arguments: [
        (RawWebSocket.frame(2, [UInt8](repeating: 0, count: 126)), 1009),
        (RawWebSocket.frame(2, [1], isMasked: false), 1002), (RawWebSocket.frame(2, [1], isLast: false), 1002),
        (RawWebSocket.frame(2, [1], reserved: 0x40), 1002), (RawWebSocket.frame(0, [1]), 1002),
        ((0...EchoCore.burst).flatMap { RawWebSocket.frame(2, [UInt8($0)]) }, 1008),
    ])
    func `what is not allowed is closed with its code`(bytes: [UInt8], code: Int) async throws {
        let bench = try await APIBench()
        try await RawWebSocket.with(bench, "", path: "/v1/echo", fields: Self.fields, first: bytes) { socket in
            var last = try await socket.next()
            while let frame = last, frame.opcode != 8 { last = try await socket.next() }
            #expect(last?.code == code)
        }
    }

    @Test func `without its subprotocol, from other pages and where there is no place nothing opens`() async throws {
        var limits = SpeedTestLimits()
        limits.echoes = 4
        let bench = try await APIBench(speedTests: limits)
        func refusal(_ fields: String) async throws -> String {
            do {
                return try await RawWebSocket.with(bench, "", path: "/v1/echo", fields: fields) { _ in "opened" }
            } catch let error as RawWebSocket.NotOpened { return String(error.answer.prefix(12)) }
        }
        #expect(try await refusal("") == "HTTP/1.1 400")
        #expect(try await refusal(Self.fields + "Origin: https://evil.example\r\n") == "HTTP/1.1 403")
        try await RawWebSocket.with(bench, "", path: "/v1/echo", fields: Self.fields) { _ in
            // A quarter of four places is one for a line.
            #expect((try? await refusal(Self.fields)) == "HTTP/1.1 503")
        }
        limits.echoes = 0
        let none = try await APIBench(speedTests: limits)
        await #expect(throws: RawWebSocket.NotOpened.self) {
            try await RawWebSocket.with(none, "", path: "/v1/echo", fields: Self.fields) { _ in }
        }
    }
}
