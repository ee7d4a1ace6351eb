import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// An emulated provider on a port of loopback.
public final class EmulatorServer: Sendable {
    private let channel: any Channel

    public let port: Int

    /// - Parameter port: 0 for any free one.
    public init(_ provider: EmulatedProvider, port: Int = 0) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(provider))
                }
            }.bind(host: "127.0.0.1", port: port).get()
        self.port = channel.localAddress?.port ?? 0
    }

    public func stop() async throws { try await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let provider: EmulatedProvider
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ provider: EmulatedProvider) { self.provider = provider }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let part): body += part.readableBytesView
            case .end:
                guard let head else { return }
                let request = EmulatedRequest(
                    method: head.method.rawValue, target: head.uri,
                    headers: Dictionary(head.headers.map { ($0.name, $0.value) }) { $1 }, body: Data(body))
                guard let response = provider.receive(request) else { return }
                write(response, context)
            }
        }

        private func write(_ response: EmulatedResponse, _ context: ChannelHandlerContext) {
            var headers = HTTPHeaders()
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Content-Length", value: "\(response.body.count)")
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
