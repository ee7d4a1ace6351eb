import NIOCore
import NIOHTTP1

/// Lets a request's bytes through as they are.
///
/// NIO's response decoder wants to see the head of each request that goes out; the head it is shown is the same for all
/// requests and ends here, the bytes that were laid out beforehand travel as the body.
final class LoadBytes: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = ByteBuffer

    /// What the decoder is shown.
    static let shownHead = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .body(.byteBuffer(let bytes)) = unwrapOutboundIn(data) {
            context.write(wrapOutboundOut(bytes), promise: promise)
        } else {
            promise?.succeed()
        }
    }
}
