import NIOCore
import NIOPosix

/// A TCP client that sends what it is told, byte for byte, when it is told. By one task at a time.
final class RawClient {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    private init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// Connects to a local port and lends the connection to `body`.
    static func with<Result: Sendable>(
        port: Int, _ body: (RawClient) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawClient(inbound, outbound))
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Says that nothing more is sent.
    func finish() { outbound.finish() }

    /// What comes next; nil once the server has closed.
    func next() async throws -> [UInt8]? { try await inbound.next().map { Array(buffer: $0) } }

    /// Everything until the server closes, or until `isEnough`.
    func receive(until isEnough: ((String) -> Bool)? = nil) async throws -> String {
        var bytes: [UInt8] = []
        while let buffer = try await inbound.next() {
            bytes += Array(buffer: buffer)
            if let isEnough, isEnough(String(decoding: bytes, as: UTF8.self)) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
