import Crypto
import Foundation
import NIOCore
import NIOWebSocket
import NkulDevice

/// Opens a WebSocket (RFC 6455, 4.1) and then makes room for the handlers of frames. Confined to the event loop.
final class PhoneHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: String
    private let accept: String
    private let ready: EventLoopPromise<Void>
    private var received = ByteBuffer()
    private var isDone = false

    private static let longestHead = 16_384

    init(_ opening: DeviceRequest, host: String, key: String, ready: EventLoopPromise<Void>) {
        let fields = opening.headers.filter { !$0.key.hasPrefix("Content-") }.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value)\r\n" }.joined()
        request =
            "GET \(opening.path) HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n\(fields)\r\n"
        accept = Self.accept(key)
        self.ready = ready
    }

    /// 16 random bytes.
    static func key() -> String {
        var random = SystemRandomNumberGenerator()
        return Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }).base64EncodedString()
    }

    private static func accept(_ key: String) -> String {
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard let end = received.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if received.readableBytes > Self.longestHead { refuse("a head without an end", context) }
            return
        }
        let head = String(decoding: received.readableBytesView[..<end.lowerBound], as: UTF8.self)
        received.moveReaderIndex(to: end.upperBound)
        let lines = head.components(separatedBy: "\r\n")
        guard lines[0].contains(" 101"), lines.contains(where: { isAccept($0) }) else {
            return refuse(lines[0], context)
        }
        open(context)
    }

    private func isAccept(_ line: String) -> Bool {
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "sec-websocket-accept"
            && parts[1].trimmingCharacters(in: .whitespaces) == accept
    }

    private func open(_ context: ChannelHandlerContext) {
        isDone = true
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandlers([
                WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)),
                PhoneFrames(),
            ])
            if received.readableBytes > 0 { context.fireChannelRead(NIOAny(received)) }
            pipeline.removeHandler(self, promise: nil)
            ready.succeed(())
        } catch { refuse("\(error)", context) }
    }

    private func refuse(_ cause: String, _ context: ChannelHandlerContext) {
        ready.fail(PhoneSocketError.refused(cause))
        isDone = true
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isDone { ready.fail(PhoneSocketError.closed) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isDone { ready.fail(error) }
        isDone = true
        context.close(promise: nil)
    }
}
