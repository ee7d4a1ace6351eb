import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A server's connections behind TLS, each with the certificate that is in force when it is opened.
struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let certificates: TLSCertificates

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificates.context))
            try pipeline.addHandler(HandshakeWitness(certificates))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Counts handshakes that come to nothing.
private final class HandshakeWitness: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let certificates: TLSCertificates

    init(_ certificates: TLSCertificates) { self.certificates = certificates }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .handshakeFailed = error as? NIOSSLError { certificates.countFailedHandshake() }
        context.fireErrorCaught(error)
    }
}
