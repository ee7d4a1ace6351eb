internal import Logging
internal import NIOCore
internal import NIOPosix
package import ServiceKit
internal import ServiceLifecycle
internal import Synchronization

/// Where alarm panels send to over UDP: SIA DC-09, a message in a datagram, answered to where it came from.
///
/// What is not answered comes again. Without a time of its own a message makes no second row within the same hour; one that comes
/// again after the hour does. An answer has some 120 bytes at most, but the shortest of datagrams is answered by 27: who forges the
/// address of another has two and a half times its bytes sent there.
package final class PanelDatagrams: Service {
    /// Messages at work at once; further ones are thrown away, counted as `busy`, and come again.
    static let most = 64

    /// Its name in the log, in the home's list of listeners and at `/readyz`.
    static let name = "panels_udp"

    private let busy: @Sendable () -> Void
    private let answer: PanelConnection.Answering
    private let address: HostPort
    private let host: ServiceHost
    /// The socket and its port, which a socket that is closed does not know any more.
    private let socket = Mutex<(channel: any Channel, port: Int)?>(nil)
    /// Until a socket that was lost is bound again.
    private static let pause = Duration.seconds(1)

    /// - Parameter address: port 0 takes any free one.
    package convenience init(_ receiver: PanelReceiver, at address: HostPort, host: ServiceHost) {
        self.init(at: address, host: host, busy: { receiver.noteBusy() }) { await receiver.answer($0) }
    }

    /// - Parameter busy: told of each message that is thrown away because too many are at work.
    init(
        at address: HostPort, host: ServiceHost, busy: @escaping @Sendable () -> Void,
        _ answer: @escaping PanelConnection.Answering
    ) {
        (self.busy, self.answer) = (busy, answer)
        self.address = address
        self.host = host
        host.readiness.declare(Self.name, problem: "NKUL_INGEST_DC09_UDP: \(address) is not bound yet")
    }

    /// The socket, once it is bound.
    var bound: (any Channel)? { socket.withLock { $0?.channel } }

    /// Binds the socket; once, before ``run()``.
    ///
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    package func start() async throws {
        let bound = try await bind(port: address.port), port = bound.localAddress?.port ?? address.port
        socket.withLock { $0 = (bound, port) }
        host.listens(Self.name, at: address, port: port)
    }

    private func bind(port: Int) async throws -> any Channel {
        let bootstrap = DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: DC09Frame.mostBytes + 2)
            )
            .channelInitializer { [busy, answer] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PanelDatagramHandler(busy: busy, answer))
                }
            }
        do {
            return try await bootstrap.bind(host: address.host, port: port).get()
        } catch let error as IOError {
            throw ServiceError(.address, "NKUL_INGEST_DC09_UDP: cannot listen on \(address)", errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw ServiceError(.address, "NKUL_INGEST_DC09_UDP: cannot listen on \(address): \(error)")
        }
    }

    /// Serves until the program is asked to stop. What is at work then is not answered: it comes again.
    ///
    /// A socket closes when the system refuses to send, as while there is no network: it is bound again, at the same port. Until it is,
    /// `/readyz` says so.
    package func run() async throws {
        while let (bound, port) = socket.withLock({ $0 }) {
            await withTaskCancellationOrGracefulShutdownHandler {
                try? await bound.closeFuture.get()
            } onCancelOrGracefulShutdown: {
                bound.close(promise: nil)
            }
            while !Task.isCancelled, !Task.isShuttingDownGracefully {
                do {
                    let next = try await bind(port: port)
                    socket.withLock { $0 = (next, port) }
                    host.readiness.hold(Self.name)
                    break
                } catch {
                    host.readiness.fail(Self.name, "NKUL_INGEST_DC09_UDP: lost: \(error)")
                    host.logger.error("panels_udp lost, tried again", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: Self.pause)
                }
            }
            if Task.isCancelled || Task.isShuttingDownGracefully { return }
        }
    }
}

/// Answers datagrams. Confined to its event loop.
final class PanelDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let answer: PanelConnection.Answering
    private let busy: @Sendable () -> Void
    private var atWork = 0

    init(busy: @escaping @Sendable () -> Void, _ answer: @escaping PanelConnection.Answering) {
        self.busy = busy
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data), answering = answer
        guard atWork < PanelDatagrams.most else { return busy() }
        // One message is all of a datagram; what is none is answered by nobody, as over TCP.
        let bytes = Array(datagram.data.readableBytesView)
        guard bytes.first == 0x0A, bytes.last == 0x0D else { return }
        // Nobody is at port 0, and the system refuses to send there.
        guard datagram.remoteAddress.port ?? 0 > 0 else { return }
        atWork += 1
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop), sender = datagram.remoteAddress
        context.eventLoop.makeFutureWithTask { await answering(Array(bytes.dropFirst().dropLast())) }.whenSuccess {
            answer in
            let (handler, context) = bound.value
            handler.atWork -= 1
            guard let answer, context.channel.isActive, context.channel.isWritable else { return }
            context.writeAndFlush(
                handler.wrapOutboundOut(AddressedEnvelope(remoteAddress: sender, data: ByteBuffer(bytes: answer))),
                promise: nil)
        }
    }

    /// An error of one datagram, as of a port that nobody has any more, ends nothing here; some make NIO close the socket, which
    /// ``PanelDatagrams/run()`` binds again.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
