import NIOCore
import NIOEmbedded
import Testing

@testable import IngestPanels

/// How long a panel's connection is kept.
@Suite(.timeLimit(.minutes(1))) struct PanelConnectionTests {
    private static func channel(
        idle: TimeAmount = .minutes(10), _ answer: @escaping PanelConnection.Answering
    ) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try PanelServer.handle(channel.pipeline.syncOperations, idle: idle, answer)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return channel
    }

    private static func send(_ text: String, to channel: NIOAsyncTestingChannel) async throws {
        try await channel.writeInbound(ByteBuffer(bytes: Panel.frame(text)))
    }

    @Test func `messages are answered in their order`() async throws {
        let channel = try await Self.channel { $0 }
        for text in ["one", "two"] { try await Self.send(text, to: channel) }
        for text in ["one", "two"] {
            let answer = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
            #expect(String(buffer: answer).hasSuffix(text))
        }
        #expect(channel.isActive)
    }

    @Test func `a panel that does not read its answers is closed, and nothing more is written`() async throws {
        let channel = try await Self.channel { $0 }
        channel.isWritable = false
        try await Self.send("one", to: channel)
        try await channel.closeFuture.get()
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test func `bytes that make no message do not keep a connection open, messages do`() async throws {
        let idle = TimeAmount.milliseconds(100)
        for isKept in [true, false] {
            let channel = try await Self.channel(idle: idle) { $0 }
            let end = NIODeadline.now() + .seconds(1)
            while channel.isActive, NIODeadline.now() < end {
                if isKept {
                    try await Self.send("one", to: channel)
                    _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
                } else {
                    try await channel.writeInbound(ByteBuffer(string: "x"))
                }
                // The timer compares with the time of the machine.
                await channel.testingEventLoop.advanceTime(to: .now())
            }
            #expect(channel.isActive == isKept)
        }
    }
}
