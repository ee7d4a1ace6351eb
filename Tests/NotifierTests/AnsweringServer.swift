import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on loopback that answers as it is told; nil does not answer.
final class AnsweringServer: Sendable {
    typealias Answer = @Sendable (HTTPRequestHead) -> (HTTPResponseStatus, [String: String])?

    private let channel: any NIOCore.Channel
    private let log: RequestLog

    /// Whom it was asked for, as `POST /x host:port`.
    var requests: [String] { log.lines.withLock { $0 } }

    var port: Int { channel.localAddress!.port! }

    init(_ answer: @escaping Answer) async throws {
        let log = RequestLog()
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(log, answer))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async throws { try await channel.close() }

    private final class RequestLog: Sendable { let lines = Mutex<[String]>([]) }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: RequestLog
        private let answer: Answer
        private var head: HTTPRequestHead?

        init(_ log: RequestLog, _ answer: @escaping Answer) {
            self.log = log
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body: break
            case .end:
                guard let head else { return }
                log.lines.withLock {
                    $0.append("\(head.method.rawValue) \(head.uri) \(head.headers.first(name: "Host") ?? "")")
                }
                guard let (status, fields) = answer(head) else { return }
                var headers = HTTPHeaders(fields.map { ($0.key, $0.value) })
                headers.add(name: "Content-Length", value: "0")
                context.write(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
                    promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
