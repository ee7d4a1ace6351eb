internal import Logging
internal import Models
internal import Wire
internal import ZeroMQ

/// One lane's ROUTER socket and the writer's decisions behind it. Touched on the socket thread only.
final class LaneRouter: @unchecked Sendable {
    // Sendable: created before the socket thread knows it, then every call comes through `SocketThread.enqueue` or the
    // loop's own callbacks.
    private var core: LaneWriterCore
    private let endpoint: LaneEndpoint
    /// The service's clock, which heartbeats tell.
    private let clock: @Sendable () -> UnixMilliseconds
    private let log: Logger
    private var socket: SocketHandle?
    /// Asks for a page; the answer comes back by ``pageRead(_:_:_:)``.
    private let readPage: (LaneName, LanePageRequest) -> Void
    private let progress: (LaneName, ReaderProgress) -> Void

    init(
        core: LaneWriterCore, endpoint: LaneEndpoint, clock: @escaping @Sendable () -> UnixMilliseconds, log: Logger,
        readPage: @escaping (LaneName, LanePageRequest) -> Void, progress: @escaping (LaneName, ReaderProgress) -> Void
    ) {
        self.core = core
        self.endpoint = endpoint
        self.clock = clock
        self.log = log
        self.readPage = readPage
        self.progress = progress
    }

    /// Lets its readers in and binds; returns the address as bound.
    func open(_ loop: SocketLoop) throws -> String {
        var options = SocketOptions(security: endpoint.security)
        options.sendHighWater = 0  // credit is the only limit, so nothing is dropped
        options.receiveHighWater = 0
        options.routerMandatory = true
        for key in endpoint.admitted { try loop.zapHandler().admit(key, domain: LaneKeys.domain) }
        let socket = try loop.open(.router, options: options, bind: endpoint.address)
        self.socket = socket
        loop.onReceive(socket) { [self] frames in received(frames, loop) }
        loop.every(.seconds(1)) { [self] in handle(.tick(now: Monotonic.milliseconds, time: clock()), loop) }
        return socket.endpoint
    }

    func handle(_ event: LaneWriterCore.Event, _ loop: SocketLoop) {
        var events = [event]
        while let event = events.popLast() {
            for action in core.handle(event) {
                switch action {
                case .send(let peer, let reply):
                    if !send(reply, to: peer, loop) { events.append(.unreachable(peer)) }
                case .read(let request): readPage(core.lane, request)
                case .progress(let said): progress(core.lane, said)
                }
            }
        }
    }

    var bufferedBytes: Int { core.bufferedBytes }
    var readers: [String] { core.readers }

    private func received(_ frames: [Frame], _ loop: SocketLoop) {
        guard let peer = frames.first else { return }
        do {
            let request = try LaneRequest(frames: Array(frames.dropFirst()))
            handle(.received(peer, request, now: Monotonic.milliseconds), loop)
        } catch {
            log.warning("lane message dropped", metadata: ["lane": "\(core.lane.rawValue)", "error": "\(error)"])
        }
    }

    private func send(_ reply: LaneReply, to peer: LaneWriterCore.Peer, _ loop: SocketLoop) -> Bool {
        guard let socket else { return false }
        return (try? loop.send([peer] + reply.frames(), on: socket)) ?? false
    }
}
