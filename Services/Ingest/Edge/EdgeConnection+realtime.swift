internal import IngestAPI
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import NIOWebSocket

extension EdgeConnection {
    /// Agrees to a WebSocket and leaves the connection to it, with what has come behind the request.
    func upgrade(_ session: RealtimeSession) {
        core.handedOver()
        guard let context else { return }
        let pipeline = context.pipeline.syncOperations
        let connection = RealtimeConnection(session, edge, rounds, eventLoop)
        do {
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let handlers: [any ChannelHandler] = [connection.gate, WebSocketFrameEncoder(), connection]
            try pipeline.addHandlers(handlers, position: .after(self))
            write(ByteBuffer(string: session.switching))
            pipeline.removeHandler(self, promise: nil)
            // Its last act is to hand on the bytes that it has not read.
            pipeline.removeHandler(context: decoder, promise: nil)
            connection.begin()
        } catch { react(core.failed()) }
    }

    /// The other side ended TLS without saying so, as many do; that it has ended is told besides.
    static func isUncleanEnd(_ error: any Error) -> Bool { error as? NIOSSLError == .uncleanShutdown }
}
