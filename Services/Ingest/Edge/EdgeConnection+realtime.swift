internal import IngestAPI
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import NIOWebSocket

extension EdgeConnection {
    /// Agrees to a WebSocket and leaves the connection to it, with what has come behind the request.
    func upgrade(_ session: RealtimeSession) {
        let connection = RealtimeConnection(session, edge, rounds, eventLoop)
        if leave(to: [connection.gate, WebSocketFrameEncoder(), connection], session.switching) { connection.begin() }
    }

    /// Agrees to a speed test and leaves the connection to it.
    func measure(_ session: SpeedTestSession) {
        let connection = SpeedTestConnection(session, edge, rounds, eventLoop)
        guard leave(to: [connection], session.switching) else {
            return edge.speedTests.end(.broken, from: session.address)
        }
        connection.begin()
    }

    /// Agrees to a latency echo and leaves the connection to it.
    func echo(_ session: EchoSession) {
        let connection = EchoConnection(session, edge, rounds, eventLoop)
        guard leave(to: EchoConnection.codec() + [connection], session.switching) else {
            return edge.echoes.end(.broken, from: session.address)
        }
        connection.begin()
    }

    /// False if the connection is gone.
    private func leave(to handlers: [any ChannelHandler], _ switching: String) -> Bool {
        core.handedOver()
        guard let context else { return false }
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(handlers, position: .after(self))
            write(ByteBuffer(string: switching))
            pipeline.removeHandler(self, promise: nil)
            // Its last act is to hand on the bytes that it has not read.
            pipeline.removeHandler(context: decoder, promise: nil)
            return true
        } catch {
            react(core.failed())
            return false
        }
    }

    /// The other side ended TLS without saying so, as many do; that it has ended is told besides.
    static func isUncleanEnd(_ error: any Error) -> Bool { error as? NIOSSLError == .uncleanShutdown }
}
